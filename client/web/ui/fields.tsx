// Fields of forms, with their error messages.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Complaint } from './dialog.tsx';

type Labelled = {
  label: ComponentChildren;
  name?: string;
  /** What is wrong, empty if nothing is; left out where nothing can be. */
  wrong?: string;
};

export function Field({
  label,
  name,
  wrong,
  kind = '',
  children,
}: Labelled & { kind?: string; children: ComponentChildren }) {
  const field = (
    // biome-ignore lint/a11y/noLabelWithoutControl: its child is one
    <label class={`field ${kind}`}>
      <span>{label}</span>
      {children}
    </label>
  );
  if (wrong === undefined) return field;
  return (
    <div class="field-and-why">
      {field}
      <Complaint id={`wrong-${name}`}>{wrong}</Complaint>
    </div>
  );
}

/** The attributes of an invalid field. */
function blamed({ name, wrong }: Labelled) {
  return wrong ? { 'aria-invalid': true, 'aria-describedby': `wrong-${name}` } : {};
}

type NumberProps = Labelled & {
  value: number | string;
  min: number;
  max: number;
  step: string;
  change?: (value: number) => void;
  text?: (value: string) => void;
};

/** Keeps the text as typed: an unfinished number is not rewritten. */
export function NumberField({ value, min, max, step, change, text, ...labelled }: NumberProps) {
  const typed = useSignal(String(value));
  return (
    <Field {...labelled} kind="number">
      <input
        type="number"
        name={labelled.name}
        min={min}
        max={max}
        step={step}
        inputMode={step === '1' ? 'numeric' : 'decimal'}
        value={typed.value}
        {...blamed(labelled)}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value;
          change?.(currentTarget.value === '' ? Number.NaN : Number(currentTarget.value));
          text?.(currentTarget.value);
        }}
      />
    </Field>
  );
}

type SelectProps = Labelled & {
  value: string | number;
  /** Each a value and its text. */
  options: string[][];
  change: (value: string) => void;
};

export function SelectField({ value, options, change, ...labelled }: SelectProps) {
  return (
    <Field {...labelled}>
      <select
        name={labelled.name}
        value={value}
        {...blamed(labelled)}
        onChange={(event) => change(event.currentTarget.value)}
      >
        <Options options={options} />
      </select>
    </Field>
  );
}

/** @param options each a value, its text, and the language of the text if it differs */
export function Options({ options }: { options: string[][] }) {
  return options.map(([value, text, lang]) => (
    <option key={value} value={value} lang={lang}>
      {text}
    </option>
  ));
}

/** Options below a heading; empty if there are none. */
export function OptionGroup({ label, options }: { label: string; options: string[][] }) {
  return options.length ? (
    <optgroup label={label}>
      <Options options={options} />
    </optgroup>
  ) : null;
}

type CheckProps = {
  name?: string;
  label: string;
  meaning?: string;
  checked: boolean;
  disabled?: boolean;
  change: (on: boolean) => void;
};

export function CheckField({ name, label, meaning, checked, disabled, change }: CheckProps) {
  return (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={checked}
        disabled={disabled}
        onChange={(event) => change(event.currentTarget.checked)}
      />
      <span>{label}</span> {meaning && <small>{meaning}</small>}
    </label>
  );
}

type ChoiceProps = {
  class: string;
  name: string;
  value: string;
  chosen: string;
  choose: (value: string) => void;
  children: ComponentChildren;
};

/** One of several options, a radio button. */
export function Choice({ name, value, chosen, choose, children, ...look }: ChoiceProps) {
  return (
    <label {...look}>
      <input type="radio" name={name} value={value} checked={value === chosen} onChange={() => choose(value)} />
      {children}
    </label>
  );
}

type SegmentsProps = {
  name: string;
  /** visible; without it `label` is for screen readers */
  legend?: string;
  label?: string;
  class?: string;
  value: string;
  options: string[][];
  change: (value: string) => void;
};

export function Segments({ name, legend, label, value, options, change, ...rest }: SegmentsProps) {
  return (
    <div class={`segments ${rest.class ?? ''}`} role="radiogroup" aria-label={legend ?? label}>
      {legend && <span class="segments-legend">{legend}</span>}
      {options.map(([id, text]) => (
        <Choice key={id} class="segment" name={name} value={id} chosen={value} choose={change}>
          <span>{text}</span>
        </Choice>
      ))}
    </div>
  );
}

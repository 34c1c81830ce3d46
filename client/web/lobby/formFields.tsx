// Fields of the form for a new game: each says what is wrong with it beside itself.

import { useSignal } from '@preact/signals';
import { Complaint } from '../ui/dialog.tsx';

type Labelled = { name: string; label: string; wrong?: string };

/** What is wrong, where something is. */
export function Complained({ id, children }: { id: string; children: string }) {
  return children ? <Complaint id={id}>{children}</Complaint> : null;
}

/** How a field says that it is wrong. */
function blamed(name: string, wrong: string | undefined) {
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

/** Keeps what is typed as it is typed: a number that is not finished is not rewritten. */
export function NumberField({ name, label, wrong, value, min, max, step, change, text }: NumberProps) {
  const typed = useSignal(String(value));
  return (
    <div class="field-and-why">
      <label class="field number">
        <span>{label}</span>
        <input
          type="number"
          name={name}
          min={min}
          max={max}
          step={step}
          inputMode={step === '1' ? 'numeric' : 'decimal'}
          value={typed.value}
          {...blamed(name, wrong)}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            change?.(currentTarget.value === '' ? Number.NaN : Number(currentTarget.value));
            text?.(currentTarget.value);
          }}
        />
      </label>
      <Complained id={`wrong-${name}`}>{wrong ?? ''}</Complained>
    </div>
  );
}

type SelectProps = Labelled & { value: string; options: string[][]; change: (value: string) => void };

export function SelectField({ name, label, wrong, value, options, change }: SelectProps) {
  return (
    <div class="field-and-why">
      <label class="field">
        <span>{label}</span>
        <select
          name={name}
          value={value}
          {...blamed(name, wrong)}
          onChange={(event) => change(event.currentTarget.value)}
        >
          {options.map(([id, text]) => (
            <option key={id} value={id}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Complained id={`wrong-${name}`}>{wrong ?? ''}</Complained>
    </div>
  );
}

type CheckProps = {
  name: string;
  label: string;
  meaning: string;
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
      <span>{label}</span> <small>{meaning}</small>
    </label>
  );
}

type SegmentsProps = {
  name: string;
  /** seen above; without it `label` is heard */
  legend?: string;
  label?: string;
  class?: string;
  value: string;
  options: string[][];
  change: (value: string) => void;
};

export function Segments({ name, legend, label, value, options, change, ...rest }: SegmentsProps) {
  return (
    <fieldset class={`segments ${rest.class ?? ''}`} aria-label={legend ?? label}>
      {legend && <span class="segments-legend">{legend}</span>}
      {options.map(([id, text]) => (
        <label class="segment" key={id}>
          <input type="radio" name={name} value={id} checked={id === value} onChange={() => change(id)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}

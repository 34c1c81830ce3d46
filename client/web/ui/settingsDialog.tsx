// The settings dialog. Each choice applies at once.

import { chooseLanguage, chosenLanguage, LANGUAGES, spoken, t } from '../i18n/language.ts';
import { openProfile } from '../identity/profile.tsx';
import type { App } from '../main.tsx';
import { Button } from './button.tsx';
import { DialogTitle, openDialog } from './dialog.tsx';
import { Choice, SelectField } from './fields.tsx';
import { Mark } from './mark.tsx';
import type { Preferences } from './preferences.ts';
import { COLOURS, show, THEMES } from './preferences.ts';
import { preferences, setPreferences } from './settings.ts';
import { useApp } from './view.tsx';

export function openSettings(app: App) {
  openDialog(app, (close) => <Settings close={close} />, 'settings');
}

function Settings({ close }: { close: () => void }) {
  const app = useApp();
  const now = preferences();
  const choose = (changes: Partial<Preferences>) => {
    setPreferences(changes);
    show(document.documentElement, preferences());
  };
  const flag = (name: 'confirm' | 'premove' | 'sound' | 'thoughts' | 'coordinates') => (
    <Switch name={name} on={now[name]} choose={(on) => choose({ [name]: on })} />
  );
  return (
    <form method="dialog">
      <DialogTitle>{t('settings.title')}</DialogTitle>
      <p class="muted">{t('settings.intro')}</p>
      <fieldset>
        <legend>{t('settings.play')}</legend>
        {flag('confirm')}
        {flag('premove')}
        {flag('sound')}
        {flag('thoughts')}
      </fieldset>
      <fieldset>
        <legend>{t('settings.look')}</legend>
        {flag('coordinates')}
        <Switch
          name="animation"
          on={now.animation === 'off'}
          choose={(off) => choose({ animation: off ? 'off' : 'system' })}
        />
      </fieldset>
      <fieldset>
        <legend>{t('settings.theme')}</legend>
        {THEMES.map((theme) => (
          <Choice
            key={theme}
            class="way"
            name="theme"
            value={theme}
            chosen={now.theme}
            choose={() => choose({ theme })}
          >
            <Sample class="pair sample" data-theme={theme} />
            {t(`settings.theme.${theme}`)}
          </Choice>
        ))}
      </fieldset>
      <fieldset>
        <legend>{t('settings.colours')}</legend>
        {COLOURS.map((colours) => (
          <div key={colours} data-colours={colours}>
            <Choice class="way" name="colours" value={colours} chosen={now.colours} choose={() => choose({ colours })}>
              <Sample class="pair" />
              {t(`settings.pair.${colours}`)}
            </Choice>
          </div>
        ))}
      </fieldset>
      <LanguageChoice />
      <div class="submit-row">
        <Button say="settings.done" type="submit" class="primary" />
        <Button
          say="settings.marks"
          class="quiet"
          act={() => {
            close();
            openProfile(app);
          }}
        />
      </div>
    </form>
  );
}

function Switch({ name, on, choose }: { name: string; on: boolean; choose: (on: boolean) => void }) {
  return (
    <div class="setting">
      <label class="check">
        <input
          type="checkbox"
          checked={on}
          aria-describedby={`setting-${name}`}
          onChange={(event) => choose(event.currentTarget.checked)}
        />
        {t(`settings.${name}`)}
      </label>
      <small class="muted" id={`setting-${name}`}>
        {t(`settings.${name}.meaning`)}
      </small>
    </div>
  );
}

/** Both marks, in the colours around them. */
function Sample(place: { class: string; 'data-theme'?: string }) {
  return (
    <b aria-hidden="true" {...place}>
      <Mark side="x" /> <Mark side="o" />
    </b>
  );
}

/** The page reloads with the chosen language. */
function LanguageChoice() {
  const app = useApp();
  const choose = (code: string) => {
    if (chooseLanguage(code || null)) location.reload();
    else app.fail(t('settings.language.denied'));
  };
  const own = spoken(null, navigator.languages, LANGUAGES);
  return (
    <SelectField
      label={t('settings.language')}
      value={chosenLanguage() ?? ''}
      options={[
        ['', t('settings.language.system', { name: nameOf(own) })],
        ...LANGUAGES.map((code) => [code, nameOf(code), code]),
      ]}
      change={choose}
    />
  );
}

/** A language's own name for itself. */
function nameOf(code: string) {
  return new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code;
}

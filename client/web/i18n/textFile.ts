// Which language is spoken here, and the file of its texts. It is asked for as soon as this runs, and awaited by
// language.ts: what comes first needs no texts, and must not wait for them.

/** a sentence, or one for each plural form of `count` */
export type Text = string | Record<string, string>;

const FALLBACK = 'en';

/** Where the texts of a language are: `de=/static/texts-de.json en=...` */
const files: Map<string, string> = new Map(
  (document.querySelector('meta[name="languages"]')?.getAttribute('content') ?? '')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** Codes of the languages that there are. */
export const LANGUAGES = [...files.keys()];

/** What is spoken here: what was chosen, else the first language of the browser that there is. */
export const language = spoken(chosenLanguage(), navigator.languages, LANGUAGES);

/** The texts, as far as the first try goes. */
export const coming = loadTexts(language);
coming.catch(() => {}); // language.ts tries again

/** Pure. */
export function spoken(chosen: string | null, wanted: readonly string[], there: string[]) {
  const codes = [chosen, ...wanted].map((tag) => tag?.toLowerCase().split('-')[0]);
  return codes.find((code) => code && there.includes(code)) ?? FALLBACK;
}

/** The language that was chosen in the settings; null where the browser's holds. */
export function chosenLanguage() {
  try {
    return window.localStorage.getItem('noughts.language');
  } catch {
    return null; // denied
  }
}

export async function loadTexts(code: string): Promise<Record<string, Text>> {
  const answer = await fetch(files.get(code) as string);
  if (!answer.ok) throw new Error(`The texts of the page could not be loaded: ${answer.status}.`);
  return answer.json();
}

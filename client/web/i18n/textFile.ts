// Picks the page's language and requests the file of its texts as soon as this runs. language.ts awaits it, since the
// first steps need no texts and must not wait.

/** a sentence, or one for each plural form of `count` */
export type Text = string | Record<string, string>;

const FALLBACK = 'en';

/** Where each language's texts are: `de=/static/texts-de.json en=...` */
const files: Map<string, string> = new Map(
  (document.querySelector('meta[name="languages"]')?.getAttribute('content') ?? '')
    .split(' ')
    .map((pair) => pair.split('=') as [string, string]),
);

/** Codes of the available languages. */
export const LANGUAGES = [...files.keys()];

/** The language: the chosen one, else the browser's first that is available. */
export const language = spoken(chosenLanguage(), navigator.languages, LANGUAGES);

/** The first request for the texts, which may fail. */
export const coming = loadTexts(language);
coming.catch(() => {}); // language.ts tries again

/** Pure. */
export function spoken(chosen: string | null, wanted: readonly string[], there: string[]) {
  const codes = [chosen, ...wanted].map((tag) => tag?.toLowerCase().split('-')[0]);
  return codes.find((code) => code && there.includes(code)) ?? FALLBACK;
}

/** The language chosen in the settings; null if the browser decides. */
export function chosenLanguage() {
  try {
    return window.localStorage.getItem('noughts.language');
  } catch {
    return null; // storage is denied
  }
}

export async function loadTexts(code: string): Promise<Record<string, Text>> {
  const answer = await fetch(files.get(code) as string);
  if (!answer.ok) throw new Error(`The texts of the page could not be loaded: ${answer.status}.`);
  return answer.json();
}

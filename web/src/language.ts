/** The language of opening names and piece letters. Everything else on the page is English. */

/** The letters of king, queen, rook, bishop and knight in the languages that have names, as the server knows them. */
const LETTERS: Record<string, string> = {
  en: 'K Q R B N', de: 'K D T L S', es: 'R D T A C', fr: 'R D T F C', it: 'R D T A C', nl: 'K D T L P', pl: 'K H W G S',
  pt: 'R D T B C', ru: 'Кр Ф Л С К', tr: 'Ş V K F A', uk: 'Кр Ф Т С К',
};

const known = (code: string | null | undefined) => (code != null && code in LETTERS ? code : undefined);

/** What the address asks for. */
let asked: string | undefined;
let served = 'en';
let code = 'en';

/** Languages of the browser, the preferred one first. */
export function ofBrowser(): string[] {
  return [...new Set(navigator.languages.map((language) => language.split('-')[0]!.toLowerCase()))];
}

/** Chooses the language: that of the address, or what `eco serve` was told, or the first of the browser's that has names. */
export function choose(ofServer: string): void {
  served = ofServer;
  asked = known(new URLSearchParams(location.search).get('lang'));
  code = asked ?? (served !== 'en' ? served : (ofBrowser().find(known) ?? 'en'));
}

/** The language, where the server would take another one. */
export function toAsk(): string | undefined {
  return code === served ? undefined : code;
}

/** What an address of the page must keep. */
export function inAddress(): string | undefined {
  return asked;
}

export function language(): string {
  return code;
}

/** A move, or several, with the piece letters of the language. */
export function written(san: string): string {
  const letters = LETTERS[code]!.split(' ');
  return code === 'en' ? san : san.replace(/[KQRBN]/g, (letter) => letters['KQRBN'.indexOf(letter)]!);
}

/** The languages to choose from, by their own names. */
export function choices(): [string, string][] {
  const name = (of: string) => new Intl.DisplayNames([of], { type: 'language' }).of(of) ?? of;
  return Object.keys(LETTERS).map((of) => [of, name(of)]);
}

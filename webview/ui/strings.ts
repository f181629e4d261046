/** The page's words in the language of the editor. A page has one language for all its life. */

let translations: Readonly<Record<string, string>> = {};

export function useStrings(strings: Readonly<Record<string, string>>): void {
  translations = strings;
}

/** `{0}`, `{1}`, … stand for the values. A text without translation stays English. */
export const t = (text: string, ...values: readonly (string | number)[]): string =>
  (translations[text] ?? text).replace(/\{(\d)\}/g, (slot, i) => String(values[Number(i)] ?? slot));

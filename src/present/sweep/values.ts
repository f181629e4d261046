/** The values of a sweep's axis, as they are typed. */

/** "2, 4, [1, 2]" → three values: commas within brackets and quotes belong to a value. */
export const typedValues = (text: string): string[] =>
  (text.match(/(?:[^,[\]()'"]|\[[^\]]*\]|\([^)]*\)|'[^']*'|"[^"]*")+/g) ?? [])
    .map((value) => value.trim())
    .filter((value) => value !== "");

/** The values of a sweep's axis, as they are typed. */

/** "2, 4, [1, (2, 3)]" → three values: commas within brackets and quotes belong to a value. */
export function typedValues(text: string): string[] {
  const values = [""];
  let depth = 0;
  for (const part of text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[\s\S]/g) ?? []) {
    if ("[({".includes(part)) depth++;
    if ("])}".includes(part)) depth--;
    if (part === "," && depth <= 0) values.push("");
    else values.push(`${values.pop()}${part}`);
  }
  return values.map((value) => value.trim()).filter((value) => value !== "");
}

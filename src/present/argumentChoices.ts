/** The values that an argument of a model can take, as far as its file tells. */
import type { FormField } from "../protocol/webview.ts";
import { maskPython } from "./maskPython.ts";
import type { PythonOutline } from "./pythonOutline.ts";

/**
 * Python literals: of its annotation, True and False of a flag, members of an enumeration by name,
 * else the strings that the code compares it with. Empty where nothing names them.
 */
export function argumentChoices(
  source: string,
  outline: PythonOutline,
  { name, annotation, default: preset, choices }: FormField,
): readonly string[] {
  if (choices.length > 0) return choices;
  if (preset === "True" || preset === "False") return ["True", "False"];
  const members = membersOf(source, outline, annotation, preset);
  return members.length > 0 ? members : comparedStrings(source, name, preset);
}

/** Of `annotation: Place` or `= Place.PRE`, the class being an enumeration of this file. */
function membersOf(
  source: string,
  outline: PythonOutline,
  annotation: string | null,
  preset: string | null,
): string[] {
  const names = [annotation?.replaceAll(/["']|\s*\|\s*None$/g, ""), preset?.split(".")[0]];
  const found = outline.classes.find(
    (it) => names.includes(it.name) && it.bases.some((base) => /Enum$/.test(base)),
  );
  if (found === undefined) return [];
  const body = source.split("\n").slice(found.line, found.endLine);
  return body.flatMap((line) => {
    const member = /^\s+([A-Za-z]\w*)\s*=[^=]/.exec(line)?.[1];
    return member === undefined ? [] : [`'${member}'`];
  });
}

const strings = String.raw`(?:"[^"\n]*"|'[^'\n]*')`;

/** `if place == "pre"`, `self.place in ("pre", "post")`, `{"pre": …}[cfg.place]`, `case "pre"`. */
function comparedStrings(source: string, name: string, preset: string | null): string[] {
  const subject = String.raw`(?<![\w])(?:\w+\.)*_?${name}(?:\.lower\(\))?`;
  const list = String.raw`[[({]\s*${strings}(?:\s*,\s*${strings})*\s*,?\s*[\])}]`;
  const places = [
    new RegExp(String.raw`${subject}\s*[!=]=\s*${strings}`, "g"),
    new RegExp(String.raw`${strings}\s*[!=]=\s*${subject}(?!\w)`, "g"),
    new RegExp(String.raw`${subject}\s+(?:not\s+)?in\s+${list}`, "g"),
  ];
  const masked = maskPython(source);
  const texts = places.flatMap((place) =>
    [...source.matchAll(place)]
      // The comparison itself stands in code, not in a comment or a string.
      .filter(({ index, 0: text }) => /[!=]=|\bin\b/.test(masked.slice(index, index + text.length)))
      .flatMap(([text]) => text.match(new RegExp(strings, "g")) ?? []),
  );
  const cases = casesOf(source, masked, subject);
  const own = preset !== null && new RegExp(`^${strings}$`).test(preset) ? [preset] : [];
  const all = [...texts, ...cases];
  if (all.length === 0) return [];
  return [...new Set([...own, ...all].map((text) => `'${text.slice(1, -1)}'`))];
}

/** The strings of `case`s below `match place:`, and the keys of `{…}[place]`. */
function casesOf(source: string, masked: string, subject: string): string[] {
  const found: string[] = [];
  for (const { index, 1: indent = "" } of masked.matchAll(
    new RegExp(String.raw`^([ \t]*)match\s+${subject}\s*:`, "gm"),
  )) {
    const lines = source.slice(index).split("\n").slice(1);
    for (const line of lines) {
      if (line.trim() !== "" && !line.startsWith(`${indent} `)) break;
      const pattern = /^\s*case\s+(.*):/.exec(line)?.[1] ?? "";
      found.push(...(pattern.match(new RegExp(strings, "g")) ?? []));
    }
  }
  for (const { 0: text } of source.matchAll(
    new RegExp(String.raw`\{[^{}]*\}\s*\[\s*${subject}\s*\]`, "g"),
  ))
    found.push(
      ...[...text.matchAll(new RegExp(`(${strings})\\s*:`, "g"))].map(([, key = ""]) => key),
    );
  return found;
}

/** What a model file says of itself in two plain dicts, read without running it: PRESETS and FACTS. */
import type { FormFact } from "../protocol/webview.ts";
import { maskPython } from "./maskPython.ts";
import { splitAtCommas, topLevel } from "./pythonOutline.ts";

/** `"gpt2": dict(n_layers=12, …)`; values are Python source. */
export interface FilePreset {
  readonly name: string;
  readonly set: Readonly<Record<string, string>>;
}

/** The entries of `PRESETS = {"name": dict(argument=value), …}`; a dict in braces will do too. */
export function filePresets(source: string): FilePreset[] {
  return entriesOf(source, "PRESETS").map(({ name, value }) => {
    const open = value.search(/[({]/);
    const inner = open < 0 ? [] : pairs(value.slice(open + 1));
    return { name, set: Object.fromEntries(inner.map((it) => [it.name, it.value])) };
  });
}

/** The entries of `FACTS = {"name": ("fact", "source"), …}`. */
export function modelFacts(source: string): FormFact[] {
  return entriesOf(source, "FACTS").map(({ name, value }) => {
    const [fact = "", where = ""] = listed(value.slice(1));
    return { name, fact: unquoted(fact), source: unquoted(where) };
  });
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

function entriesOf(source: string, dict: string): Pair[] {
  const start = new RegExp(`^${dict}\\b[^=\\n]*=\\s*\\{`, "m").exec(maskPython(source));
  return start === null ? [] : pairs(source.slice(start.index + start[0].length));
}

/** `name: value` and `name=value`, up to the bracket that closes the list. */
function pairs(source: string): Pair[] {
  return listed(source).flatMap((text) => {
    const masked = maskPython(text);
    const at = [topLevel(masked, ":"), topLevel(masked, "=")].filter((place) => place >= 0);
    if (at.length === 0) return [];
    const end = Math.min(...at);
    return { name: unquoted(text.slice(0, end)), value: text.slice(end + 1).trim() };
  });
}

/** The items of a list in brackets, without comments. */
function listed(source: string): string[] {
  const parts = splitAtCommas(maskPython(source)).map((part) =>
    withoutComments(source.slice(part.start, part.start + part.text.length)),
  );
  return parts.filter((text) => text !== "");
}

/** Only a comment can stand behind the last thing that the mask shows of a line. */
function withoutComments(source: string): string {
  const masked = maskPython(source).split("\n");
  const lines = source.split("\n");
  return lines
    .map((line, i) => line.slice(0, masked[i]?.trimEnd().length ?? 0))
    .join("\n")
    .trim();
}

const unquoted = (text: string): string => text.trim().replace(/^(["'])(.*)\1$/s, "$2");

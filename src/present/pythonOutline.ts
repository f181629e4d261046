/** What a Python file defines, read without running it: for lenses, lists and hints, never for numbers. */
import { maskPython } from "./maskPython.ts";

export interface PythonOutline {
  /** First sentence of the file's docstring, or "". */
  readonly summary: string;
  readonly classes: readonly ClassOutline[];
  /** One-based line of `build` where the file also defines `step`: it is run as it stands. */
  readonly scriptLine: number | null;
}

export interface ClassOutline {
  readonly name: string;
  /** One-based. */
  readonly line: number;
  /** The last line of the body. */
  readonly endLine: number;
  readonly summary: string;
  /** "nn.Module", as written. */
  readonly bases: readonly string[];
  /** As far as this file tells: by its bases, or because it has a `forward`. */
  readonly isModule: boolean;
  readonly parameters: readonly ParameterOutline[];
  /** Annotated names of the body: the fields of a dataclass. */
  readonly fields: readonly ParameterOutline[];
}

/** A parameter of `__init__` after self. */
export interface ParameterOutline {
  readonly name: string;
  /** Source of the annotation, null where there is none. */
  readonly annotation: string | null;
  /** Source of the default, null where there is none. */
  readonly value: string | null;
}

const identifier = String.raw`[\p{L}_][\p{L}\p{N}_]*`;
/** Text with brackets in it, up to so many deep. */
const bracketed = (depth: number): string =>
  depth === 0 ? "[^()]*" : String.raw`(?:[^()]|\(${bracketed(depth - 1)}\))*`;
const bases = String.raw`\((?<bases>${bracketed(4)})\)`;
const classHead = new RegExp(
  String.raw`^class[ \t]+(?<name>${identifier})[ \t]*(?:\[[^\]]*\])?[ \t]*(?:${bases})?\s*:`,
  "gmu",
);

export function pythonOutline(source: string): PythonOutline {
  const masked = maskPython(source);
  const lineAt = lineCounter(source);
  const classes: ClassOutline[] = [];
  for (const head of masked.matchAll(classHead)) {
    const start = head.index;
    const bodyStart = start + head[0].length;
    const end = endOfBody(masked, bodyStart);
    const body = { source: source.slice(bodyStart, end), masked: masked.slice(bodyStart, end) };
    const baseNames = splitAtCommas(head.groups?.["bases"] ?? "")
      .map((part) => part.text.trim())
      .filter((text) => text !== "" && !text.includes("="));
    classes.push({
      name: head.groups?.["name"] ?? "",
      line: lineAt(start),
      endLine: lineAt(end),
      summary: firstSentence(/^\s*[rR]?"""([\s\S]*?)"""/.exec(body.source)?.[1]),
      bases: baseNames,
      isModule: isModule(baseNames, body.masked, classes),
      parameters: parametersOfInit(body.source, body.masked),
      fields: fields(body.source, body.masked),
    });
  }
  return {
    summary: firstSentence(/^\s*(?:#[^\n]*\n\s*)*[rR]?"""([\s\S]*?)"""/.exec(source)?.[1]),
    classes,
    scriptLine: scriptLine(masked),
  };
}

/** The class that a user runs: the last one that can be made without an argument. */
export function runnableClass(outline: PythonOutline): ClassOutline | null {
  return (
    outline.classes.findLast(
      ({ parameters }) => parameters.length > 0 && parameters.every(({ value }) => value !== null),
    ) ?? null
  );
}

function scriptLine(masked: string): number | null {
  const start = (name: string) =>
    new RegExp(`^def[ \\t]+${name}\\b`, "m").exec(masked)?.index ?? null;
  const build = start("build");
  if (build === null || start("step") === null) return null;
  return masked.slice(0, build).split("\n").length;
}

/** One-based line of ever greater places: each part of the text is looked at once. */
function lineCounter(source: string): (place: number) => number {
  let line = 1;
  let at = 0;
  return (place) => {
    if (place < at) return source.slice(0, place).split("\n").length;
    for (; at < place; at++) if (source[at] === "\n") line++;
    return line;
  };
}

/** The end of the last line that is indented, before the next line of code that is not. */
function endOfBody(masked: string, from: number): number {
  const next = /\n(?=[^\s)\]}])/.exec(masked.slice(from));
  const end = next === null ? masked.length : from + next.index;
  return from + masked.slice(from, end).trimEnd().length;
}

function isModule(
  baseNames: readonly string[],
  maskedBody: string,
  before: readonly ClassOutline[],
): boolean {
  if (baseNames.length === 0 || baseNames.some((base) => /Function$/.test(base))) return false;
  const ofThisFile = (base: string) => before.find(({ name }) => name === base);
  return (
    baseNames.some((base) => /(?:^|\.)nn\.|Module$/.test(base) || ofThisFile(base)?.isModule) ||
    /^\s+def\s+forward\s*\(/m.test(maskedBody)
  );
}

const firstSentence = (docstring = ""): string => {
  const [paragraph = ""] = docstring.trim().split(/\n\s*\n/);
  const text = paragraph.replaceAll(/\s+/g, " ").trim();
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
};

function parametersOfInit(source: string, masked: string): ParameterOutline[] {
  const start = /def\s+__init__\s*\(/.exec(masked);
  if (start === null) return [];
  const from = start.index + start[0].length;
  return splitAtCommas(masked.slice(from))
    .filter(({ text }) => text.trim() !== "" && !/^\s*(self\b|\*|\/)/.test(text))
    .map((part) => {
      const written = (begin: number, end: number) =>
        source
          .slice(from + part.start + begin, from + part.start + end)
          .replaceAll(/#[^\n]*/g, "")
          .replaceAll(/\s*\n\s*/g, " ")
          .trim();
      const { text } = part;
      const equals = topLevel(text, "=");
      const nameEnd = equals < 0 ? text.length : equals;
      const colon = topLevel(text.slice(0, nameEnd), ":");
      return {
        name: written(0, colon < 0 ? nameEnd : colon),
        annotation: colon < 0 ? null : written(colon + 1, nameEnd),
        value: equals < 0 ? null : written(equals + 1, text.length),
      };
    });
}

function fields(source: string, masked: string): ParameterOutline[] {
  const indent = /^([ \t]+)\S/m.exec(masked)?.[1] ?? "";
  const field = new RegExp(`^${indent}(\\w+)[ \\t]*:[ \\t]*([^=\\n]+)(=[^\\n]*)?$`, "gm");
  return [...masked.matchAll(field)].map((found) => {
    const [whole, name = "", , assigned = ""] = found;
    const written = source.slice(found.index, found.index + whole.length);
    const equals = whole.length - assigned.length;
    const annotation = written.slice(written.indexOf(":") + 1, equals).trim();
    const value = assigned === "" ? null : fieldDefault(written.slice(equals + 1, trimmed(whole)));
    return { name, annotation, value };
  });
}

/** Length without the comment, which is masked. */
const trimmed = (masked: string): number => masked.trimEnd().length;

/** `512` of `field(default=512)`. */
const fieldDefault = (written: string): string =>
  /^\s*(?:\w+\.)?field\(.*?\bdefault\s*=\s*([^,()]+)/.exec(written)?.[1]?.trim() ?? written.trim();

/** Where `character` first stands outside of brackets, or -1. */
export function topLevel(text: string, character: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const at = text.charAt(i);
    if ("([{".includes(at)) depth++;
    else if (")]}".includes(at)) depth--;
    else if (depth === 0 && at === character) return i;
  }
  return -1;
}

/** The parts of a list in brackets, up to the bracket that closes it. */
export function splitAtCommas(text: string): { readonly start: number; readonly text: string }[] {
  const parts: { start: number; text: string }[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const character = text.charAt(i);
    const isEnd = i === text.length || (depth === 0 && ")]}".includes(character));
    if (isEnd || (depth === 0 && character === ",")) {
      parts.push({ start, text: text.slice(start, i) });
      start = i + 1;
      if (isEnd) break;
    }
    if (character !== "" && "([{".includes(character)) depth++;
    if (character !== "" && ")]}".includes(character)) depth--;
  }
  return parts;
}

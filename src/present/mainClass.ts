/** The class of a file that its author would run: read from the text, for a target that names none. */
import { maskPython } from "./maskPython.ts";
import { type ClassOutline, pythonOutline } from "./pythonOutline.ts";

export interface MainClass {
  readonly name: string;
  readonly line: number;
  /** Others that could have been meant. */
  readonly others: readonly string[];
}

/**
 * Of the modules that no other class of the file is made of: the one that the code outside of classes
 * makes, else the last that is made of others, else the last. Loops of training that are modules,
 * whose `forward` is called with nothing, are neither a model nor made of one.
 * Null where the file has no module with a constructor or a `forward`.
 */
export function mainClass(source: string): MainClass | null {
  const lines = maskPython(source).split("\n");
  const { classes } = pythonOutline(source);
  const bodies = classes.map((it) => ({ ...it, body: textOf(lines, it) }));
  const called = bodies.filter(({ isModule, body }) => !isModule || !isCalledWithNothing(body));
  const known = called.some(({ isModule }) => isModule) ? called : bodies;
  const modules = known.filter(({ isModule }) => isModule);
  const isPart = ({ name }: ClassOutline): boolean =>
    known.some((other) => other.name !== name && speaksOf(other.body, name));
  const isMadeOfOthers = ({ name, body }: (typeof bodies)[number]): boolean =>
    modules.some((other) => other.name !== name && speaksOf(body, other.name));
  const wholes = modules.filter((it) => !isPart(it));
  const candidates = wholes.length > 0 ? wholes : modules;
  const outside = outsideOf(lines, classes);
  const main =
    candidates.findLast(({ name }) => calls(outside, name)) ??
    candidates.findLast(isMadeOfOthers) ??
    candidates.at(-1);
  if (main === undefined) return null;
  const others = candidates.filter((it) => it !== main).map(({ name }) => name);
  return { name: main.name, line: main.line, others };
}

const isCalledWithNothing = (body: string): boolean =>
  /\bdef\s+forward\s*\(\s*self\s*,?\s*\)/.test(body);

const textOf = (lines: readonly string[], { line, endLine }: ClassOutline): string =>
  lines.slice(line - 1, endLine).join("\n");

const outsideOf = (lines: readonly string[], classes: readonly ClassOutline[]): string =>
  lines
    .filter((_, i) => !classes.some(({ line, endLine }) => line <= i + 1 && i + 1 <= endLine))
    .join("\n");

const speaksOf = (text: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${name}(?![\p{L}\p{N}_])`, "u").test(text);

const calls = (text: string, name: string): boolean =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])${name}\s*\(`, "u").test(text);

/** Where a finding stands in its file, and what is read there: text alone, nothing is run. */
import type { Finding } from "../../protocol/report.ts";
import { maskPython } from "../maskPython.ts";

/** What a fix does, in one word; the editor has a title for each. */
export const fixKinds = [
  "softmaxAxis",
  "headWidth",
  "divideScores",
  "scaleScores",
  "scaleOnce",
  "dropScale",
  "hideFuture",
  "turnMask",
  "hideByInfinity",
  "maskBefore",
  "isCausal",
  "keepMasked",
  "endOfName",
  "shiftTargets",
  "dropInTraining",
  "registerModules",
  "separateLayers",
  "transposeHeads",
  "normBranch",
  "keepSum",
  "overPositions",
  "crossEntropy",
  "epsInside",
  "divideByRoot",
  "keepStream",
  "closingNorm",
  "useSoftmax",
  "softmaxOnce",
  "keepGate",
  "meanOfKept",
  "capScores",
  "logProbabilities",
  "squeezeColumn",
] as const;
export type FixKind = (typeof fixKinds)[number];

export interface Fix {
  readonly kind: FixKind;
  readonly edits: readonly LineEdit[];
}

export const fixOf = (kind: FixKind, ...edits: LineEdit[]): Fix => ({ kind, edits });

/** A zero-based line and the text that it becomes; null: the line goes. */
export interface LineEdit {
  readonly line: number;
  readonly text: string | null;
}

export interface Place {
  readonly finding: Finding;
  /** Zero-based. */
  readonly line: number;
  readonly lines: readonly string[];
  /** The same with comments and the insides of strings as spaces. */
  readonly masked: readonly string[];
  /** The lines of the function around it, its head first. */
  readonly from: number;
  readonly to: number;
}

/** null: the finding is of another place than the text has. */
export function placeOf(finding: Finding, source: string): Place | null {
  const lines = source.split("\n");
  const masked = maskPython(source).split("\n");
  const line = (finding.line ?? 0) - 1;
  if (masked[line] === undefined || masked[line].trim() === "") return null;
  return { finding, line, lines, masked, ...functionAround(masked, line) };
}

const indentOf = (line: string): number => line.search(/\S|$/);

function functionAround(masked: readonly string[], line: number): { from: number; to: number } {
  const own = indentOf(masked[line] ?? "");
  for (let from = line; from >= 0; from--) {
    const head = masked[from] ?? "";
    if (!/^\s*(?:async\s+)?def\s/.test(head)) continue;
    const indent = indentOf(head);
    if (indent >= own) continue;
    const next = masked.findIndex(
      (each, at) =>
        at > from && /\S/.test(each) && !/^\s*[)\]}]/.test(each) && indentOf(each) <= indent,
    );
    const to = next < 0 ? masked.length : next;
    if (to > line) return { from, to };
  }
  return { from: line, to: line + 1 };
}

export const textAt = ({ lines }: Place, line: number): string => lines[line] ?? "";
export const codeAt = ({ masked }: Place, line: number): string => masked[line] ?? "";

/** The one line of the function that a pattern fits once; null: none, several, or twice on it. */
export function onlyMatch(
  { masked, from, to }: Place,
  pattern: RegExp,
): { readonly line: number; readonly match: RegExpMatchArray & { index: number } } | null {
  const all = new RegExp(pattern.source, `${pattern.flags.replace("g", "")}g`);
  const found = masked
    .slice(from, to)
    .flatMap((code, at) => [...code.matchAll(all)].map((match) => ({ line: from + at, match })));
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** A line with the text between two columns replaced. */
export const spliced = (
  place: Place,
  line: number,
  start: number,
  end: number,
  text: string,
): LineEdit => {
  const old = textAt(place, line);
  return { line, text: old.slice(0, start) + text + old.slice(end) };
};

/** An argument of a call, as it is written, with its columns. */
export interface Argument {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Of a keyword argument: its name, and where its value begins. */
  readonly name: string | null;
  readonly valueStart: number;
}

export interface CallText {
  /** Of the name's first letter. */
  readonly start: number;
  /** Behind the opening parenthesis, and at the closing one. */
  readonly open: number;
  readonly close: number;
  readonly args: readonly Argument[];
}

/** The one call on a line of a name such as `softmax`; null: none, several, or one that goes on below. */
export function onlyCall(place: Place, line: number, name: string): CallText | null {
  const code = codeAt(place, line);
  const found = [...code.matchAll(new RegExp(String.raw`(?<!\w)(?:${name})\(`, "g"))];
  const [match] = found;
  if (match === undefined || found.length > 1) return null;
  return callFrom(textAt(place, line), code, match.index, match.index + match[0].length);
}

export function callFrom(text: string, code: string, start: number, open: number): CallText | null {
  const args: Argument[] = [];
  let depth = 0;
  let from = open;
  for (let at = open; at < code.length; at++) {
    const letter = code.charAt(at);
    if (depth === 0 && (letter === "," || letter === ")")) {
      if (text.slice(from, at).trim() !== "") args.push(argument(text, from, at));
      if (letter === ")") return { start, open, close: at, args };
      from = at + 1;
    }
    if ("([{".includes(letter)) depth++;
    if (")]}".includes(letter)) depth--;
  }
  return null;
}

function argument(text: string, from: number, to: number): Argument {
  const own = text.slice(from, to);
  const start = from + indentOf(own);
  const end = from + own.trimEnd().length;
  const keyword = /^(\w+)\s*=\s*(?!=)/.exec(text.slice(start, end));
  return {
    start,
    end,
    text: text.slice(start, end),
    name: keyword?.[1] ?? null,
    valueStart: start + (keyword?.[0].length ?? 0),
  };
}

/** Keyword arguments by name. */
export const argumentOf = ({ args }: CallText, name: string): Argument | null =>
  args.find((one) => one.name === name) ?? null;

export const writtenIn = ({ text, start, valueStart }: Argument): string =>
  text.slice(valueStart - start);

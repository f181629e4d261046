/** An error as people read it: what, where, the line itself, what to do, and the code. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { NormscopeError, type Place } from "../errors.ts";
import type { Output } from "./output.ts";
import { displayWidth, printable, truncate } from "./textWidth.ts";

/** A larger file is not read for the sake of one line. */
const largestSourceBytes = 4_000_000;

export interface ErrorTextOptions {
  readonly cwd: string;
  /** Adds the stack of the error. */
  readonly isDebug: boolean;
  readonly output: Output;
}

export function errorText(error: unknown, options: ErrorTextOptions): string[] {
  const { output, isDebug } = options;
  const known = error instanceof NormscopeError ? error : null;
  const message = error instanceof Error ? error.message : String(error);
  const [first = "", ...others] = message.split("\n").map(printable);
  const kind = known?.pythonType ?? null;
  const subject = kind === null || first.startsWith(kind) ? first : `${kind}: ${first}`;
  const stack = isDebug && error instanceof Error ? (error.stack ?? "").split("\n") : [];
  return [
    `${output.paint("error", "error:")} ${output.paint("strong", subject)}`,
    ...others.map((line) => `  ${line}`),
    ...(known?.place ? placeLines(known.place, options) : []),
    ...(known?.hint ? [`  ${printable(known.hint)}`] : []),
    ...(known === null || known.code === "internal" ? [`  ${bugHint}`] : []),
    `  ${output.paint("dim", known?.code ?? "internal")}`,
    ...stack.map((line) => output.paint("dim", `  ${line}`)),
  ];
}

const bugHint =
  "This is a mistake in Normscope, not in the model: please report it with the model file";

function placeLines(place: Place, { cwd, output }: ErrorTextOptions): string[] {
  const { file, line, column } = place;
  const at = `  ${output.paint("accent", `${printable(file)}:${line}`)}`;
  const source = sourceLine(resolve(cwd, file), line);
  if (source === null || source.trim() === "") return [at];
  const bar = output.paint("dim", "│");
  const number = String(line);
  const margin = " ".repeat(number.length);
  const shown = truncate(printable(source), output.columns - number.length - 6);
  const caretAt = column ?? source.length - source.trimStart().length;
  const before = displayWidth(printable(source.slice(0, caretAt)));
  const caret =
    before < displayWidth(shown) ? `${" ".repeat(before)}${output.paint("error", "^")}` : "";
  return [
    at,
    `   ${output.paint("dim", number)} ${bar} ${shown}`,
    ...(caret === "" ? [] : [`   ${margin} ${bar} ${caret}`]),
  ];
}

/** null where the file cannot be read as text; an error about an error helps nobody. */
function sourceLine(path: string, line: number): string | null {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > largestSourceBytes) return null;
    const bytes = readFileSync(path);
    if (bytes.includes(0)) return null;
    return bytes.toString("utf8").split(/\r?\n/)[line - 1] ?? null;
  } catch {
    return null;
  }
}

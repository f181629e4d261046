/**
 * The numbers that stand beside a text as it is now, of all runs that measured it: those of the run
 * of exactly this text where there is one (so that undo brings them back), else those of the newest,
 * on the lines that have not been edited since.
 */
import type { RunReport } from "../protocol/report.ts";
import { type KeptLines, keptLines } from "./keptLines.ts";
import { type LineNote, lineNotes } from "./lineNotes.ts";
import { toNumber } from "./number.ts";
import { printedByLine } from "./printed.ts";

/** One run's view of a file. */
export interface MeasuredText {
  readonly report: RunReport;
  /** Path as the report has it. */
  readonly file: string;
  /** The file's text when it was run. */
  readonly text: string;
}

export interface FileNumbers<Run extends MeasuredText> {
  readonly run: Run;
  /** Whether the text has been edited since; edited lines have no note. */
  readonly isStale: boolean;
  readonly notes: readonly ShownNote[];
  /** By line of the text as it is now, all that it printed. */
  readonly printed: ReadonlyMap<number, string>;
}

export interface ShownNote {
  /** One-based, in the text as it is now. */
  readonly line: number;
  /** With the line as it was when it was run. */
  readonly note: LineNote;
  /** Against the run before: "→×1.20 ←×0.310"; empty where nothing changed by 5 % or more. */
  readonly change: string;
}

/** `runs` are the newest first; null where none measured the file. */
export function fileNumbers<Run extends MeasuredText>(
  now: string,
  runs: readonly Run[],
): FileNumbers<Run> | null {
  const newest = runs[0];
  if (newest === undefined) return null;
  const exact = runs.find(({ text }) => isSameText(text, now));
  const run = exact ?? newest;
  const kept = keptLines(run.text, now);
  const before = runs[runs.indexOf(run) + 1];
  const changeOf = before === undefined ? () => "" : changesSince(before, run);
  const notes = notesOf(run.report, run.file).flatMap((note): ShownNote[] => {
    const line = kept.now.get(note.line);
    return line === undefined ? [] : [{ line, note, change: changeOf(note) }];
  });
  const printed = [...printedByLine(run.report.printed ?? [], run.file)].flatMap(
    ([then, text]): [number, string][] => {
      const line = kept.now.get(then);
      return line === undefined ? [] : [[line, text]];
    },
  );
  return { run, isStale: exact === undefined, notes, printed: new Map(printed) };
}

const isSameText = (a: string, b: string): boolean =>
  a === b || (a.includes("\r") !== b.includes("\r") && plain(a) === plain(b));
const plain = (text: string): string => text.replaceAll("\r\n", "\n");

const cache = new WeakMap<RunReport, Map<string, LineNote[]>>();

/** `lineNotes`, once for each report and file. */
function notesOf(report: RunReport, file: string): LineNote[] {
  const ofReport = cache.get(report) ?? new Map<string, LineNote[]>();
  cache.set(report, ofReport);
  const notes = ofReport.get(file) ?? lineNotes(report, file);
  ofReport.set(file, notes);
  return notes;
}

function changesSince(before: MeasuredText, run: MeasuredText): (note: LineNote) => string {
  const then = new Map(notesOf(before.report, before.file).map((note) => [note.line, note]));
  const lineBefore = inverse(keptLines(before.text, run.text));
  return (note) => {
    const earlier = then.get(lineBefore.get(note.line) ?? -1);
    return earlier === undefined ? "" : change(earlier, note);
  };
}

const inverse = ({ now, replaced }: KeptLines): Map<number, number> =>
  new Map([...now, ...replaced].map(([before, after]) => [after, before]));

const smallestShown = Math.log(1.05);

/** How the numbers of a line changed, as the mean factor over its passes. */
export function change(before: LineNote, after: LineNote): string {
  const forward = factor(before.forward.rms, after.forward.rms);
  const gradient = factor(before.gradient?.rms ?? [], after.gradient?.rms ?? []);
  return [forward === "" ? "" : `→${forward}`, gradient === "" ? "" : `←${gradient}`]
    .filter((part) => part !== "")
    .join(" ");
}

type Nums = LineNote["forward"]["rms"];

function factor(before: Nums, after: Nums): string {
  const [a, b] =
    before.length === after.length ? [before, after] : [before.slice(-1), after.slice(-1)];
  const logs = a.flatMap((num, i) => {
    const other = b[i] ?? null;
    const ratio = num === null || other === null ? Number.NaN : toNumber(other) / toNumber(num);
    return ratio > 0 && Number.isFinite(ratio) ? Math.log(ratio) : [];
  });
  if (logs.length === 0) return "";
  const mean = logs.reduce((sum, log) => sum + log, 0) / logs.length;
  if (Math.abs(mean) < smallestShown) return "";
  return `×${Number(Math.exp(mean).toPrecision(2))}`;
}

/** Reads what python/torch/_missed.py and _training_loops.py give. */
import type { LoopFault, TracedLoop, TracedMiss } from "./program.ts";

type Place = [path: string, line: number, condition: string];

interface Told {
  readonly names?: readonly [
    ...Place,
    texts: string[],
    text: string,
    parameters: string[],
    std: number | null,
  ][];
  readonly flags?: readonly [...Place, flag: string, attribute: string, modules: string[]][];
  readonly late?: readonly [...Place, weights: [string, number][]][];
  readonly plain?: readonly [...Place, name: string, holds: "gradient" | "drawn"][];
  readonly padding?: readonly [name: string, row: number][];
  readonly stray?: readonly [...Place, flag: string][];
  readonly ties?: readonly [...Place, tiedOn: number | null, kept: string, other: string][];
}

/** `fileOf` gives the path that a user knows. */
export function readMisses(json: string, fileOf: (path: string) => string): TracedMiss[] {
  const told: Told = JSON.parse(json);
  const { names = [], flags = [], late = [], ties = [], plain = [], padding = [] } = told;
  return [
    ...names.map(([path, line, condition, texts, text, parameters, std]): TracedMiss => {
      return { kind: "name", file: fileOf(path), line, condition, texts, text, parameters, std };
    }),
    ...flags.map(([path, line, condition, flag, attribute, modules]): TracedMiss => {
      return { kind: "flag", file: fileOf(path), line, condition, flag, attribute, modules };
    }),
    ...late.map(([path, line, condition, own]): TracedMiss => {
      const weights = own.map(([name, std]) => ({ name, std }));
      return { kind: "late", file: fileOf(path), line, condition, weights };
    }),
    ...ties.map(([path, line, condition, tiedOn, kept, other]): TracedMiss => {
      return { kind: "tie", file: fileOf(path), line, condition, tiedOn, kept, other };
    }),
    ...padding.map(([name, row]): TracedMiss => ({ kind: "padding", name, row })),
    ...(told.stray ?? []).map(([path, line, condition, flag]): TracedMiss => {
      return { kind: "stray", file: fileOf(path), line, condition, flag };
    }),
    ...plain.map(([path, line, condition, name, holds]): TracedMiss => {
      return { kind: "plain", file: fileOf(path), line, condition, name, holds };
    }),
  ];
}

export const readLoops = (json: string, fileOf: (path: string) => string): TracedLoop[] =>
  (JSON.parse(json) as [path: string, line: number, kind: LoopFault, detail: string][]).map(
    ([path, line, kind, detail]) => ({ file: fileOf(path), line, kind, detail }),
  );

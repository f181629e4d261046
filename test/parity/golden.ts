/** Reads a golden: what real PyTorch gave for a script, as scripts/record-golden.py wrote it. */
import { readFileSync } from "node:fs";
import type { Num, Stats } from "../../src/protocol/report.ts";

/** PyTorch's statistics, and how many elements are 0 but for rounding. */
export interface GoldenStats extends Stats {
  /** Share of the elements that are at most 1e-4 of the largest (half: 2e-3), those that are 0 among them. */
  readonly nearZero: number;
}

export interface Golden {
  /** Null where the script ran; else nothing but this is given. */
  readonly error: GoldenError | null;
  readonly mode: "eval" | "train";
  readonly backward: boolean;
  readonly loss: Num;
  readonly parameters: readonly GoldenParameter[];
  /** Absent where the script cannot be watched as it runs. */
  readonly modules?: readonly GoldenModule[];
  /** Absent where the script asked for less. */
  readonly values?: readonly GoldenValue[];
}

export interface GoldenError {
  readonly type: string;
  readonly message: string;
  /** Null where backward raised: PyTorch names no line of the user's then. */
  readonly place: { readonly file: string; readonly line: number } | null;
}

export interface GoldenParameter {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly shape: readonly number[];
  readonly dtype: string;
  readonly value: GoldenStats;
  readonly gradient: GoldenStats | null;
}

export interface GoldenModule {
  readonly path: string;
  readonly class: string;
  readonly calls: readonly {
    readonly outputs: readonly {
      readonly key: string;
      readonly dtype: string;
      readonly shape: readonly number[];
    }[];
    readonly activation: readonly GoldenStats[];
    readonly gradient: readonly (GoldenStats | null)[];
  }[];
}

export interface GoldenValue {
  readonly file: string;
  readonly line: number;
  readonly op: string;
  readonly module: string | null;
  readonly call: number;
  readonly output: number;
  readonly shape: readonly number[];
  readonly dtype: string;
  /** Null for what no one filled: torch.empty. */
  readonly activation: GoldenStats | null;
  readonly gradient: GoldenStats | null;
}

/** In the file a Stats is an array of numbers in the order of the file's `stats`. */
export function readGolden(path: string): Golden {
  const raw = JSON.parse(readFileSync(path, "utf8"));
  const named = (_key: string, value: unknown) =>
    isStatsRow(value, raw.stats)
      ? Object.fromEntries(value.map((x, i) => [raw.stats[i], x]))
      : value;
  return JSON.parse(JSON.stringify(raw), named);
}

function isStatsRow(value: unknown, names: readonly string[]): value is readonly Num[] {
  if (!Array.isArray(value) || value.length !== names.length) return false;
  return value !== names && value.every((x) => typeof x === "number" || isWord(x));
}

const isWord = (x: unknown) => x === "NaN" || x === "Infinity" || x === "-Infinity";

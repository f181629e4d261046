/** What scripts/record-random.py recorded of PyTorch, for the tests of this folder. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Numbers } from "../graph/tensor.ts";

export interface Step {
  readonly call: string;
  readonly n: number;
  readonly params: unknown;
  /** Of all numbers. */
  readonly hash?: string;
  /** The first numbers, where the last bits are the C library's. */
  readonly first?: readonly number[];
}

export interface Program {
  readonly seed: number;
  readonly steps: readonly Step[];
  /** Hashes of three uniform and three normal numbers that are drawn behind the steps. */
  readonly follow: readonly [string, string];
}

interface Goldens {
  readonly modules: Readonly<Record<"linear" | "wide" | "embedding", readonly string[]>>;
  readonly erfinv: { readonly arguments: readonly number[]; readonly values: readonly number[] };
  readonly state: string;
  readonly programs: readonly Program[];
}

const file = new URL("../../test/golden/random.json", import.meta.url);

export const goldens = JSON.parse(readFileSync(file, "utf8")) as Goldens;

export const hashOf = (data: Numbers): string =>
  createHash("sha256")
    .update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength))
    .digest("hex")
    .slice(0, 20);

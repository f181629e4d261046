/** The programs in which a difference was found once: each is a test from then on. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Program } from "./oracle.ts";

/** Adds the programs that the file does not have; their answers are recorded by record-programs.py. */
export function keepPrograms(file: string, programs: readonly Program[]): void {
  const kept = existsSync(file) ? readPrograms(file) : [];
  const known = new Set(kept.map(keyOf));
  const fresh = programs.filter((program) => !known.has(keyOf(program)));
  const lines = [...kept, ...fresh].map((program) => JSON.stringify(program));
  writeFileSync(file, `[\n${lines.join(",\n")}\n]\n`);
}

export const readPrograms = (file: string): Program[] => JSON.parse(readFileSync(file, "utf8"));

const keyOf = ({ lines }: Program): string => lines.join("\n");

/** What a run of training keeps on disk: its state, replaced in one step, and its history. */
import { createHash } from "node:crypto";
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { cannotWrite } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import type { TrainStep } from "../protocol/training.ts";
import { cannotResume } from "../train/errors.ts";

/** All that a step needs of those before it. */
export interface SavedState {
  readonly step: number;
  /** What the state belongs to: a run that goes on must have the same. */
  readonly fingerprint: string;
  readonly slots: readonly Numbers[];
  /** Of dropout's generator, as text; null: no masks. */
  readonly generator: string | null;
}

const files = { state: "state.bin", history: "history.jsonl" } as const;
const headerBytes = 4;
const digestBytes = 32;

/** float32 numbers behind a line of JSON that says how many; the digest of it all is the end. */
export function saveState(folder: string, { slots, ...rest }: SavedState): void {
  const parts = slots.map((numbers) => {
    const data = Float32Array.from(numbers);
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  });
  const header = Buffer.from(JSON.stringify({ ...rest, sizes: slots.map(({ length }) => length) }));
  const size = Buffer.alloc(headerBytes);
  size.writeUInt32LE(header.length);
  const content = Buffer.concat([size, header, ...parts]);
  replaceFile(folder, files.state, [content, digestOf(content)]);
}

export const hasState = (folder: string): boolean => existsSync(join(folder, files.state));

/** Throws where there is none, one that is damaged, or one of another run. */
export function loadState(folder: string, fingerprint: string): SavedState {
  if (!hasState(folder)) throw cannotResume(folder, `it has no ${files.state}`);
  const bytes = readState(folder);
  const content = bytes.subarray(0, Math.max(bytes.length - digestBytes, 0));
  if (!digestOf(content).equals(bytes.subarray(content.length)))
    throw cannotResume(folder, `its ${files.state} is damaged or cut short`);
  const start = headerBytes + content.readUInt32LE(0);
  const header = JSON.parse(content.subarray(headerBytes, start).toString()) as Header;
  if (header.fingerprint !== fingerprint)
    throw cannotResume(folder, differences(header.fingerprint, fingerprint));
  let at = start;
  const slots = header.sizes.map((size) => {
    const data = new Float32Array(size);
    new Uint8Array(data.buffer).set(bytes.subarray(at, at + data.byteLength));
    at += data.byteLength;
    return data;
  });
  const { step, generator } = header;
  return { step, fingerprint, slots, generator };
}

function readState(folder: string): Buffer {
  try {
    return readFileSync(join(folder, files.state));
  } catch (error) {
    throw cannotResume(folder, `its ${files.state} cannot be read: ${reasonOf(error)}`);
  }
}

const digestOf = (bytes: Uint8Array): Buffer => createHash("sha256").update(bytes).digest();

/** "schedule.lr was 0.001 and is 0.01": what makes two fingerprints differ. */
function differences(before: string, now: string): string {
  const [old, own] = [before, now].map((text) => new Map(leavesOf(parse(text), "")));
  const names = [...new Set([...(old?.keys() ?? []), ...(own?.keys() ?? [])])];
  const told = names
    .filter((name) => name !== "sha256" && old?.get(name) !== own?.get(name))
    .map(
      (name) =>
        `${name} was ${old?.get(name) ?? "not given"} and is ${own?.get(name) ?? "not given"}`,
    );
  // Most settings change the graph of a step as well: it is the reason where no setting is.
  const graph = "a step computes something else (the model's code, batch or seq were changed)";
  return `it is of another run: ${told.length === 0 ? graph : told.join("; ")}`;
}

function leavesOf(data: unknown, path: string): [name: string, text: string][] {
  if (typeof data !== "object" || data === null) return [[path, String(data)]];
  return Object.entries(data).flatMap(([name, value]) =>
    leavesOf(value, path === "" ? name : `${path}.${name}`),
  );
}

interface Header extends Omit<SavedState, "slots"> {
  readonly sizes: readonly number[];
}

/** null: no JSON, as a line that a crash cut off. */
function parse<Content>(text: string): Content | null {
  try {
    return JSON.parse(text) as Content;
  } catch {
    return null;
  }
}

/**
 * The steps up to `step` that a run before has written; all others are forgotten, and at step 0 its
 * state too, which would not belong to the steps to come.
 */
export function resumeHistory(folder: string, step: number): TrainStep[] {
  const path = join(folder, files.history);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const kept = text.split("\n").flatMap((line): TrainStep[] => {
    const one = line === "" ? null : parse<TrainStep>(line);
    return one !== null && one.step <= step ? [one] : [];
  });
  if (step === 0) attempt(path, () => rmSync(join(folder, files.state), { force: true }));
  replaceFile(folder, files.history, [Buffer.from(linesOf(kept))]);
  return kept;
}

export function appendHistory(folder: string, steps: readonly TrainStep[]): void {
  const path = join(folder, files.history);
  attempt(path, () => appendFileSync(path, linesOf(steps)));
}

const linesOf = (steps: readonly TrainStep[]): string =>
  steps.map((step) => `${JSON.stringify(step)}\n`).join("");

/** A reader, and a run that goes on after a crash, find the old content or the new one. */
function replaceFile(folder: string, name: string, parts: readonly Uint8Array[]): void {
  const path = join(folder, name);
  const unfinished = `${path}.new`;
  attempt(path, () => {
    mkdirSync(folder, { recursive: true });
    try {
      writeFileSync(unfinished, Buffer.concat(parts));
      renameSync(unfinished, path);
    } catch (error) {
      rmSync(unfinished, { force: true });
      throw error;
    }
  });
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw cannotWrite(path, reasonOf(error));
  }
}

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** What a run of training keeps on disk: its state, replaced in one step, and its history. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
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

/** float32 numbers behind a line of JSON that says how many. */
export function saveState(folder: string, { slots, ...rest }: SavedState): void {
  const header = Buffer.from(JSON.stringify({ ...rest, sizes: slots.map(({ length }) => length) }));
  const size = Buffer.alloc(headerBytes);
  size.writeUInt32LE(header.length);
  const parts = slots.map((numbers) => {
    const data = Float32Array.from(numbers);
    return Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  });
  const path = join(folder, files.state);
  attempt(path, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${path}.new`, Buffer.concat([size, header, ...parts]));
    renameSync(`${path}.new`, path);
  });
}

export const hasState = (folder: string): boolean => existsSync(join(folder, files.state));

/** Throws where there is none, or one of another run. */
export function loadState(folder: string, fingerprint: string): SavedState {
  const path = join(folder, files.state);
  if (!existsSync(path)) throw cannotResume(folder, `it has no ${files.state}`);
  const bytes = readFileSync(path);
  const length = bytes.length < headerBytes ? 0 : bytes.readUInt32LE(0);
  const start = headerBytes + length;
  const header = parse<Header>(bytes.subarray(headerBytes, start).toString());
  if (header === null) throw cannotResume(folder, `its ${files.state} cannot be read`);
  if (header.fingerprint !== fingerprint)
    throw cannotResume(folder, "it is of another model, seed or setting");
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

/** The steps up to `step` that a run before has written; all others are forgotten. */
export function resumeHistory(folder: string, step: number): TrainStep[] {
  const path = join(folder, files.history);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  const kept = text.split("\n").flatMap((line): TrainStep[] => {
    const one = line === "" ? null : parse<TrainStep>(line);
    return one !== null && one.step <= step ? [one] : [];
  });
  attempt(path, () => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(path, kept.map((one) => `${JSON.stringify(one)}\n`).join(""));
  });
  return kept;
}

export function appendHistory(folder: string, steps: readonly TrainStep[]): void {
  const path = join(folder, files.history);
  attempt(path, () =>
    appendFileSync(path, steps.map((step) => `${JSON.stringify(step)}\n`).join("")),
  );
}

function attempt(path: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw cannotWrite(path, error instanceof Error ? error.message : String(error));
  }
}

/**
 * Parameters of a run, drawn or read, in the runtime's worker: filled beside the building of the graph, in
 * arrays that the runtime can read without a copy, and measured while they are near.
 */
import { Worker } from "node:worker_threads";
import { allocate, type DType, type Numbers } from "../graph/tensor.ts";
import { measure } from "../random/generator.ts";
import { hostMoments, type Moments } from "../stats/moments.ts";
import { type NumbersJob, runJob } from "../weights/jobs.ts";

export interface Fill {
  /** The value that the numbers are fed as. */
  readonly id: number;
  readonly dtype: DType;
  readonly job: NumbersJob;
}

export interface Filled {
  readonly id: number;
  readonly numbers: Numbers;
  readonly moments: Moments;
}

export type FilledById = ReadonlyMap<number, Filled>;

/** What one worker gets: all fills, and a shared counter of those already taken. */
export interface FillWork {
  readonly fills: readonly Fill[];
  /** One int32. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

export interface FillThreads {
  /** Path of the bundle of parameterWorker.ts. */
  readonly worker: string;
  readonly threads: number;
}

/** Starting a thread takes as long as filling some 5 million numbers. */
const alone = 2 ** 22;

export async function fillParameters(
  fills: readonly Fill[],
  { worker, threads }: FillThreads,
): Promise<FilledById> {
  const count = fills.reduce((sum, { job }) => sum + job.count, 0);
  if (count <= alone) return byId(fills.map(fillOne));
  // The largest first, so that all threads end at about the same time.
  const ordered = fills.toSorted((a, b) => b.job.count - a.job.count);
  const work: FillWork = { fills: ordered, taken: new Int32Array(new SharedArrayBuffer(4)) };
  const filled: Filled[] = [];
  const running = Array.from({ length: Math.min(threads, fills.length) }, () =>
    runWorker(worker, work, filled),
  );
  await Promise.all(running);
  return byId(filled);
}

export function fillOne({ id, dtype, job }: Fill): Filled {
  const numbers = allocate(dtype, job.count);
  runJob(job, numbers);
  return { id, numbers, moments: momentsOf(numbers) };
}

/** As `hostMoments`, and faster where it can be. */
export function momentsOf(numbers: Numbers): Moments {
  const extent = numbers instanceof Float32Array ? measure(numbers) : null;
  return extent === null ? hostMoments(numbers) : { ...extent, nan: 0, posInf: 0, negInf: 0 };
}

const byId = (filled: readonly Filled[]): FilledById =>
  new Map(filled.map((one) => [one.id, one] as const));

function runWorker(worker: string, work: FillWork, filled: Filled[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: work });
    thread.on("message", (one: Filled) => filled.push(one));
    thread.once("error", reject);
    thread.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`internal: a fill worker ended with exit code ${code}`));
    });
  });
}

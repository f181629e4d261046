/** Large fills, spread over threads. */
import { Worker } from "node:worker_threads";
import type { FillJob } from "./jobs.ts";
import { splitJob } from "./jobs.ts";

/** What one worker gets: all pieces of all jobs, and a counter of those already taken. */
export interface FillWork {
  readonly pieces: readonly OutputPiece[];
  /** One shared int32. */
  readonly taken: Int32Array<SharedArrayBuffer>;
}

export interface OutputPiece {
  readonly job: FillJob;
  readonly out: Float32Array;
}

export interface FillThreads {
  /** The bundle of fillWorker.ts. */
  readonly worker: URL;
  readonly threads: number;
}

/** Some 10 ms of work: taking a piece costs little, and so does waiting for the last one. */
const pieceSize = 2 ** 20;

function runWorker(worker: URL, work: FillWork): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(worker, { workerData: work });
    thread.once("error", reject);
    thread.once("exit", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`internal: a fill worker ended with exit code ${code}`));
    });
  });
}

/**
 * Runs the jobs; each `out` is as long as its job and lies on a SharedArrayBuffer. Resolves when
 * all numbers are there.
 */
export async function fillInWorkers(
  jobs: readonly { readonly job: FillJob; readonly out: Float32Array }[],
  { worker, threads }: FillThreads,
): Promise<void> {
  const pieces = jobs.flatMap(({ job, out }) =>
    splitJob(job, pieceSize).map((piece) => ({
      job: piece.job,
      out: out.subarray(piece.start, piece.start + piece.job.count),
    })),
  );
  const taken = new Int32Array(new SharedArrayBuffer(4));
  const workers = Math.min(threads, pieces.length);
  const work: FillWork = { pieces, taken };
  await Promise.all(Array.from({ length: workers }, () => runWorker(worker, work)));
}

/** The entry of a fill worker: takes pieces until none is left. */
import { workerData } from "node:worker_threads";
import type { FillWork } from "./fillInWorkers.ts";
import { runFillJob } from "./jobs.ts";

const { pieces, taken } = workerData as FillWork;

for (let next = Atomics.add(taken, 0, 1); next < pieces.length; next = Atomics.add(taken, 0, 1)) {
  const piece = pieces[next];
  if (piece !== undefined) runFillJob(piece.job, piece.out);
}

/** The entry of a thread that fills parameters: takes one after another until none is left. */
import { parentPort, workerData } from "node:worker_threads";
import { type FillWork, fillOne } from "./fillParameters.ts";

const { fills, taken } = workerData as FillWork;

for (let next = Atomics.add(taken, 0, 1); next < fills.length; next = Atomics.add(taken, 0, 1)) {
  const fill = fills[next];
  if (fill === undefined) break;
  const filled = fillOne(fill);
  parentPort?.postMessage(filled, [filled.numbers.buffer as ArrayBuffer]);
}

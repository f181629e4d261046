/** A training step with what is measured of every layer, against PyTorch's plain one. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TrainRequest } from "../src/protocol/training.ts";
import type { Setup, Tell } from "./groups.ts";
import { type Clock, inTurns, median, type Time } from "./measure.ts";
import { pyTorchStepper, workerStepper } from "./steppers.ts";
import { finding } from "./targets.ts";
import type { TrainData } from "./trainWorker.ts";

const dist = dirname(fileURLToPath(import.meta.url));
const models = join(dist, "..", "models");
const sizes = { n_layers: 6, d_model: 128, n_heads: 4, d_ff: 512, vocab_size: 256 };
const [batch, seq] = [16, 64];
const stepsPerCall = 8;

const request: TrainRequest = {
  root: models,
  file: "pre_ln.py",
  entry: "PreLNTransformer",
  set: Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, String(value)])),
  inputs: [],
  loss: null,
  seed: 0,
  mode: "train",
  packages: null,
  device: "cpu",
  training: {
    steps: 1000,
    batch,
    seq,
    task: { name: "text", file: null, order: "random", seed: 0 },
    optimizer: { name: "adam" },
    schedule: { name: "constant", lr: 1e-3, warmup: 0 },
    clip: null,
    accumulate: 1,
    directory: null,
    saveEvery: 1000,
    resume: false,
    threads: null,
  },
};

export async function training(
  { python, threads, samples, clock }: Setup,
  tell: Tell,
): Promise<void> {
  const data: TrainData = {
    assets: join(dist, "python"),
    fillWorker: join(dist, "fillWorker.mjs"),
    threads,
    version: "",
    keepsCompiled: false,
    request,
    stepsPerCall: 1,
    perMessage: 1,
  };
  const worker = join(dist, "trainWorker.mjs");
  const many: TrainData = { ...data, perMessage: stepsPerCall };
  const plain = await workerStepper(worker, many);
  const inLoop: TrainData = { ...many, stepsPerCall };
  const looped = await workerStepper(worker, inLoop);
  for (const { step } of [looped, plain]) await step();
  const [oneRun = [], runs = []] = await inTurns(samples, [looped.step, plain.step]);
  for (const { end } of [looped, plain]) await end();
  tell(
    finding({
      name: `${stepsPerCall} training steps as one ONNX Loop / as ${stepsPerCall} runs`,
      ours: median(oneRun.map((time) => time[clock])),
      theirs: median(runs.map((time) => time[clock])),
      unit: "ms",
      limit: null,
    }),
  );
  if (python === null) return;
  const ours = await workerStepper(worker, inLoop);
  const theirs = await pyTorchStepper(python, join(dist, "..", "bench", "pytorch", "train.py"), [
    join(models, request.file),
    request.entry ?? "",
    JSON.stringify(sizes),
    String(batch),
    String(seq),
    String(threads),
  ]);
  const asMany = () => several(theirs.step);
  for (const step of [ours.step, asMany]) await step();
  const [own = [], other = []] = await inTurns(samples, [ours.step, asMany]);
  for (const { end } of [ours, theirs]) await end();
  tell(
    finding({
      name: "training step with layer statistics, 6 layers d = 128, 16 × 64, Adam / PyTorch's plain",
      ours: median(own.map((time) => time[clock])) / stepsPerCall,
      theirs: median(other.map((time) => time[clock])) / stepsPerCall,
      unit: "ms",
      limit: 0.9,
    }),
  );
}

/** As many steps as one run of ours takes. */
async function several(step: () => Promise<Time>): Promise<Time> {
  const times: Time[] = [];
  for (let at = 0; at < stepsPerCall; at++) times.push(await step());
  const sum = (of: Clock) => times.reduce((all, time) => all + time[of], 0);
  return { wall: sum("wall"), cpu: sum("cpu") };
}

/** The options of a run of training, and the settings that they say. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { wrongUsage } from "../../errors.ts";
import {
  type OptimizerName,
  optimizerNames,
  type ScheduleName,
  scheduleNames,
  type TaskName,
  type TaskSpec,
  type TrainSettings,
  taskNames,
} from "../../protocol/training.ts";
import {
  isInRange,
  ofOptimizer,
  ofSchedule,
  type RangedSetting,
  type SpecialField,
  trainingRanges,
} from "../../protocol/trainingFields.ts";

export interface TrainingOptions {
  readonly task: string;
  readonly order: TaskSpec["order"];
  readonly taskSeed: number;
  readonly steps: number;
  readonly batch: number;
  readonly seq: number;
  readonly optimizer: OptimizerName;
  readonly lr: number;
  readonly momentum?: number;
  readonly nesterov?: boolean;
  readonly betas?: readonly [number, number];
  readonly eps?: number;
  readonly weightDecay?: number;
  readonly decay: "matrices" | "all";
  readonly schedule: ScheduleName;
  readonly warmup: number;
  readonly end?: number;
  readonly decayShare?: number;
  readonly gamma?: number;
  readonly stepLength?: number;
  readonly clip?: number;
  readonly accumulate: number;
  readonly retrace?: boolean;
  readonly stepsPerCall?: number;
  readonly threads?: number;
}

export const trainingOptions = (command: Command): Command =>
  command
    .option("--task <name>", `${taskNames.join(", ")}, a text or .bin file, none`, "markov")
    .addOption(
      new Option("--order <order>", "windows of a file")
        .choices(["random", "sequential"])
        .default("random"),
    )
    .option("--task-seed <n>", "for the batches", whole, 0)
    .option("--steps <n>", "updates", numberFor("steps"), 300)
    .option("--batch <n>", "rows of a batch", numberFor("batch"), 8)
    .option("--seq <n>", "tokens of a row", numberFor("seq"), 16)
    .addOption(
      new Option("--optimizer <name>", "as PyTorch's").choices(optimizerNames).default("adam"),
    )
    .option("--lr <rate>", "the largest learning rate", numberFor("lr"), 1e-3)
    .option("--momentum <x>", "of sgd and muon", numberFor("momentum"))
    .option("--nesterov", "for sgd and muon")
    .option("--no-nesterov", "muon has it by default")
    .option("--betas <a,b>", "of adam, adamw and lion, and of muon's adamw", pair)
    .option("--eps <x>", "of adam, adamw and adafactor, and of muon's adamw", numberFor("eps"))
    .option("--weight-decay <x>", "default: PyTorch's", numberFor("weightDecay"))
    .addOption(
      new Option("--decay <which>", "matrices: none on norms, biases and embeddings")
        .choices(["matrices", "all"])
        .default("matrices"),
    )
    .addOption(
      new Option("--schedule <name>", "after the warm-up")
        .choices(scheduleNames)
        .default("constant"),
    )
    .option("--warmup <steps>", "steps of linear warm-up", numberFor("warmup"), 0)
    .option("--end <share>", "of the rate, where linear, cosine and wsd end", numberFor("end"))
    .option("--decay-share <share>", "of the steps, at the end of wsd", numberFor("decayShare"))
    .option("--gamma <x>", "factor of step", numberFor("gamma"))
    .option("--step-length <steps>", "steps between two uses of it", numberFor("stepLength"))
    .option("--clip <norm>", "largest norm of all gradients together", numberFor("clip"))
    .option("--accumulate <n>", "batches of one update", numberFor("accumulate"), 1)
    .option("--retrace", "run Python again for every step: for a forward that counts its calls")
    .option(
      "--steps-per-call <k>",
      "steps of one run, as an ONNX Loop (default: as many as take a quarter of a second)",
      positive,
    )
    .option("--threads <n>", "that share one operation", positive);

/** `cwd`: what paths are relative to; `varied`: names that take several values in turn. */
export function trainSettings(
  options: TrainingOptions,
  cwd: string,
  varied: readonly string[] = [],
): TrainSettings {
  refuseUnused(options, varied);
  const { optimizer, lr, schedule, warmup, steps, batch, seq, accumulate, clip, threads } = options;
  const { momentum, nesterov, betas, eps, weightDecay, end, decayShare, gamma } = options;
  return {
    steps,
    batch,
    seq,
    task: taskOf(options, cwd),
    optimizer: defined({
      name: optimizer,
      momentum,
      nesterov,
      betas,
      eps,
      weightDecay,
      decay: options.decay,
    }),
    schedule: defined({
      name: schedule,
      lr,
      warmup,
      end,
      decayShare,
      gamma,
      every: options.stepLength,
    }),
    clip: clip ?? null,
    accumulate,
    directory: null,
    saveEvery: steps,
    resume: false,
    ...(options.retrace === true ? { retrace: true } : {}),
    ...(options.stepsPerCall === undefined ? {} : { stepsPerCall: options.stepsPerCall }),
    threads: threads ?? null,
  };
}

/** Options that the optimizer or the schedule does not have would be read and change nothing. */
function refuseUnused(options: TrainingOptions, varied: readonly string[]): void {
  const refuse = (name: "optimizer" | "schedule", of: Uses) => {
    if (varied.includes(name)) return;
    const chosen = options[name];
    const all = new Set(Object.values(of).flat());
    const given = [...all].filter((it) => options[it] !== undefined || varied.includes(it));
    for (const field of given) {
      if (of[chosen]?.includes(field)) continue;
      const having = Object.keys(of).filter((it) => of[it]?.includes(field));
      throw wrongUsage(
        `${flagOf(field)} is for the ${name} ${having.join(", ")}; the ${name} is '${chosen}'`,
      );
    }
  };
  refuse("optimizer", ofOptimizer);
  refuse("schedule", ofSchedule);
  const { optimizer, nesterov, momentum = 0 } = options;
  const isPlain = optimizer === "sgd" && momentum === 0 && !varied.includes("momentum");
  if (isPlain && nesterov === true && !varied.includes("optimizer"))
    throw wrongUsage("--nesterov needs a --momentum above 0");
}

type Uses = Readonly<Record<string, readonly SpecialField[]>>;

const flagOf = (field: string): string =>
  `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the options that were not given. */
const defined = <T extends object>(options: T): Defined<T> =>
  Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  ) as Defined<T>;

function taskOf({ task, order, taskSeed }: TrainingOptions, cwd: string): TaskSpec | null {
  if (task === "none") return null;
  const rest = { order, seed: taskSeed } as const;
  const known = taskNames.find((name): name is TaskName => name === task);
  if (known !== undefined) return { name: known, file: null, ...rest };
  const file = resolve(cwd, task);
  if (existsSync(file)) return { name: "file", file, ...rest };
  throw wrongUsage(
    `--task needs one of ${taskNames.join(", ")}, none, or a file that is there; got '${task}'`,
  );
}

export function number(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("A number is needed.");
}

export function whole(text: string): number {
  const value = number(text);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new InvalidArgumentError("A whole number is needed.");
}

export function positive(text: string): number {
  const value = whole(text);
  if (value > 0) return value;
  throw new InvalidArgumentError("A whole number above 0 is needed.");
}

/** Reads the number of a setting. */
const numberFor = (name: RangedSetting) => (text: string) => {
  const value = Number(text);
  if (text.trim() !== "" && isInRange(name, value)) return value;
  const { needs } = trainingRanges[name];
  throw new InvalidArgumentError(`${needs[0]?.toUpperCase()}${needs.slice(1)} is needed.`);
};

function pair(text: string): readonly [number, number] {
  const [a, b, ...more] = text.split(",").map((part) => (part.trim() === "" ? NaN : Number(part)));
  if (a !== undefined && b !== undefined && more.length === 0)
    if (isInRange("beta", a) && isInRange("beta", b)) return [a, b];
  throw new InvalidArgumentError("Two numbers of 0 or above and below 1 are needed: 0.9,0.95.");
}

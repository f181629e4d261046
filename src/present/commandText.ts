/** A request of the engine as a command that asks for the same, and so gives the same numbers. */
import type { RunRequest } from "../protocol/engine.ts";
import type { TrainSettings } from "../protocol/training.ts";

export interface CommandOptions {
  /** A run of training; null: one run. */
  readonly training: TrainSettings | null;
  /** Of files that lie below this folder the command has the path from there. */
  readonly from: string;
}

/** One command, an option a line, for a POSIX shell in the folder `from`. */
export function commandText(request: RunRequest, { training, from }: CommandOptions): string {
  const { root, file, entry } = request;
  const target = below(from, `${root}/${file}`);
  const command = training === null ? "run" : "train";
  const options = [
    ...modelOptions(request, from),
    ...(training === null ? [] : trainingOptions(training, from)),
  ].map(([name, value]) => (value === undefined ? `  ${name}` : `  ${name} ${quoted(value)}`));
  const model = quoted(entry === null ? target : `${target}:${entry}`);
  return `${[`normscope ${command} ${model}`, ...options].join(" \\\n")}\n`;
}

type Option = readonly [name: string, value?: string];

function modelOptions(request: RunRequest, from: string): Option[] {
  const { root, set, inputs, loss, seed, mode, device, packages } = request;
  const { weights = null, tokens = null } = request;
  const path = (file: string | null | undefined) => (file ? below(from, file) : null);
  return [
    ["--root", path(root) ?? root],
    ...Object.entries(set).map(([name, text]): Option => ["--set", `${name}=${plain(text)}`]),
    ...inputs.map(({ name, dtype, shape, below: limit }): Option => {
      return [
        "--input",
        `${name}=${dtype}[${shape.join(",")}]${limit === null ? "" : `<${limit}`}`,
      ];
    }),
    ...given("--loss", loss),
    ...given("--seed", seed === 0 ? null : seed),
    ...given("--mode", mode),
    ...given("--device", device === "auto" ? null : device),
    ...given("--weights", path(weights?.file)),
    ...given("--weights-prefix", weights?.prefix),
    ...(weights?.strict === false ? [["--no-strict"] as const] : []),
    ...given("--tokens", path(tokens?.file)),
    ...given("--tokenizer", path(tokens?.tokenizer)),
    ...given("--packages", path(packages)),
  ];
}

function trainingOptions(training: TrainSettings, from: string): Option[] {
  const { task, batch, seq, steps, accumulate, optimizer, schedule, clip, threads } = training;
  const { nesterov, betas, decay } = optimizer;
  const name = task === null ? "none" : task.name;
  return [
    ["--task", name === "file" ? below(from, task?.file ?? "") : name],
    ...given("--order", task?.order === "sequential" ? task.order : null),
    ...given("--task-seed", task?.seed === 0 ? null : task?.seed),
    ["--steps", String(steps)],
    ["--batch", String(batch)],
    ["--seq", String(seq)],
    ...given("--accumulate", accumulate === 1 ? null : accumulate),
    ["--optimizer", optimizer.name],
    ["--lr", String(schedule.lr)],
    ...given("--momentum", optimizer.momentum),
    ...(nesterov === undefined ? [] : [[nesterov ? "--nesterov" : "--no-nesterov"] as const]),
    ...given("--betas", betas?.join(",")),
    ...given("--eps", optimizer.eps),
    ...given("--weight-decay", optimizer.weightDecay),
    ...given("--decay", decay === "all" ? decay : null),
    ["--schedule", schedule.name],
    ["--warmup", String(schedule.warmup)],
    ...given("--end", schedule.end),
    ...given("--decay-share", schedule.decayShare),
    ...given("--gamma", schedule.gamma),
    ...given("--step-length", schedule.every),
    ...given("--clip", clip),
    ...(training.retrace === true ? [["--retrace"] as const] : []),
    ...given("--steps-per-call", training.stepsPerCall),
    ...given("--threads", threads),
  ];
}

/** Nothing for what was not said. */
const given = (name: string, value: string | number | null | undefined): Option[] =>
  value === null || value === undefined || value === "" ? [] : [[name, String(value)]];

/** With slashes, also on Windows; absolute where the file lies elsewhere. */
function below(folder: string, path: string): string {
  const [base, whole] = [folder, path].map((it) => it.replaceAll("\\", "/").replace(/\/$/, ""));
  if (base === undefined || whole === undefined || base === whole) return ".";
  return whole.startsWith(`${base}/`) ? whole.slice(base.length + 1) : whole;
}

/** A word that the command line reads as the same string without its quotes. */
const plain = (literal: string): string => {
  const word = /^(['"])([A-Za-z]\w*)\1$/.exec(literal)?.[2];
  const isOther = word === undefined || /^(true|false|null|none)$/i.test(word);
  return isOther ? literal : word;
};

/** As a POSIX shell takes it for one word. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** What a form ran or trained, as a command that gives the same numbers. */
import type { TrainingChoice } from "../protocol/trainingPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";

/** Where the model of a configuration lies. */
export interface CommandPlace {
  /** Absolute path of the folder that the code may read. */
  readonly root: string;
  /** Path of the model's file below it, with slashes. */
  readonly file: string;
  readonly packages: string | null;
}

/** A shell script: `cd` to the workspace, then the command, an option a line. */
export const runCommand = (configuration: RunConfiguration, place: CommandPlace): string =>
  script("run", place, modelOptions(configuration, place), configuration.entry);

/** `steps`: those of the whole run, also where it was gone on with. */
export const trainCommand = (
  configuration: RunConfiguration,
  choice: TrainingChoice,
  place: CommandPlace,
  steps: number = choice.steps,
): string =>
  script(
    "train",
    place,
    [...modelOptions(configuration, place), ...trainingOptions({ ...choice, steps })],
    configuration.entry,
  );

type Option = readonly [name: string, value?: string];

function script(
  command: string,
  { root, file }: CommandPlace,
  options: readonly Option[],
  entry: string | null,
): string {
  const target = entry === null ? file : `${file}:${entry}`;
  const lines = options.map(([name, value]) =>
    value === undefined ? `  ${name}` : `  ${name} ${quoted(value)}`,
  );
  const whole = [`normscope ${command} ${quoted(target)} --root .`, ...lines].join(" \\\n");
  return `cd ${quoted(root)}\n${whole}\n`;
}

function modelOptions(configuration: RunConfiguration, { packages }: CommandPlace): Option[] {
  const { set, inputs, loss, seed, mode, device, weights, tokens } = configuration;
  const { tokenizer, strict } = configuration;
  return [
    ...Object.entries(set).map(([name, text]): Option => ["--set", `${name}=${plain(text)}`]),
    ...inputs.map(({ name, dtype, shape, below }): Option => {
      return [
        "--input",
        `${name}=${dtype}[${shape.join(",")}]${below === null ? "" : `<${below}`}`,
      ];
    }),
    ...given("--loss", loss),
    ...given("--seed", seed === 0 ? null : seed),
    ...given("--mode", mode),
    ...given("--device", device === "auto" ? null : device),
    ...given("--weights", weights),
    ...(weights && strict === false ? [["--no-strict"] as const] : []),
    ...given("--tokens", tokens),
    ...given("--tokenizer", tokens ? tokenizer : null),
    ...given("--packages", packages),
  ];
}

function trainingOptions(choice: TrainingChoice): Option[] {
  const { task, order, batch, seq, steps, accumulate, optimizer, nesterov, betas } = choice;
  return [
    ["--task", task],
    ...given("--order", order === "random" ? null : order),
    ["--steps", String(steps)],
    ["--batch", String(batch)],
    ["--seq", String(seq)],
    ...given("--accumulate", accumulate === 1 ? null : accumulate),
    ["--optimizer", optimizer],
    ["--lr", String(choice.lr)],
    ...given("--momentum", choice.momentum),
    ...(nesterov === null ? [] : [[nesterov ? "--nesterov" : "--no-nesterov"] as const]),
    ...given("--betas", betas === null ? null : betas.join(",")),
    ...given("--eps", choice.eps),
    ...given("--weight-decay", choice.weightDecay),
    ...given("--decay", choice.decay === "matrices" ? null : choice.decay),
    ["--schedule", choice.schedule],
    ["--warmup", String(choice.warmup)],
    ...given("--end", choice.end),
    ...given("--decay-share", choice.decayShare),
    ...given("--gamma", choice.gamma),
    ...given("--step-length", choice.stepLength),
    ...given("--clip", choice.clip),
  ];
}

/** Nothing for what was not said. */
const given = (name: string, value: string | number | null | undefined): Option[] =>
  value === null || value === undefined || value === "" ? [] : [[name, String(value)]];

/** A word that the command line reads as the same string without its quotes. */
const plain = (literal: string): string => {
  const word = /^(['"])([A-Za-z]\w*)\1$/.exec(literal)?.[2];
  const isOther = word === undefined || /^(true|false|null|none)$/i.test(word);
  return isOther ? literal : word;
};

/** As a POSIX shell takes it for one word. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

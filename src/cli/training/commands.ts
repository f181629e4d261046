/** The commands that train: their arguments and options. */
import { type Command, Option } from "commander";
import { type Axis, parseAxis } from "../../present/sweep/plan.ts";
import { experimentNames } from "../../protocol/claimsPage.ts";
import { type ClaimsOptions, claims } from "../commands/claims.ts";
import { type SweepOptions, sweep, sweepTask } from "../commands/sweep.ts";
import { type TrainCommandOptions, train } from "../commands/train.ts";
import type { Context } from "../context.ts";
import { number, positive, trainingOptions, whole } from "./trainOptions.ts";

/** What `createProgram` gives every command of a kind. */
export interface CommandKinds {
  /** Options of a model, and of what is written of it. */
  readonly model: (command: Command) => Command;
  readonly output: (command: Command) => Command;
  readonly finding: (command: Command) => Command;
}

/** Calls a reader; what it refuses becomes commander's error. */
export type Readable = <Result>(read: () => Result) => Result;

export function addTrainingCommands(
  program: Command,
  context: Context,
  kinds: CommandKinds,
  readable: Readable,
): void {
  kinds
    .finding(
      trainingOptions(
        kinds.model(program.command("train").description("Train a model and watch its layers")),
      ),
    )
    .argument("<model>", "FILE:CLASS, or a script with build() and step(model)")
    .option("--every <steps>", "steps between two saved states", positive, 100)
    .option("--out <folder>", "keep state and history there")
    .addOption(new Option("--resume", "go on from the state in --out"))
    .option("--csv <file>", "write the steps as comma-separated values")
    .option("--tensorboard <folder>", "write an event file there")
    .option("--bundle <folder>", "write source, settings, numbers and page there")
    .addHelpText(
      "after",
      "\nnormscope train models/pre_ln.py:PreLNTransformer --set vocab_size=16 --set n_layers=6" +
        "\n  --set d_model=32 --task markov --steps 300 --lr 1e-2 --warmup 100 --out runs/pre",
    )
    .action((model: string, options: TrainCommandOptions) => train(context, model, options));

  trainingOptions(
    kinds.model(program.command("sweep").description("Measure a model over settings and seeds")),
  )
    .argument("<model>", "FILE:CLASS")
    .addOption(
      new Option("--over <axis>", "n_layers=2,4,8 or lr=1e-3,1e-2 (repeatable)")
        .argParser((text, axes: readonly Axis[]) => [...axes, readable(() => parseAxis(text))])
        .default([], "none"),
    )
    .option("--seeds <n>", "runs of every setting", positive, 1)
    .addOption(
      new Option("--measure <when>", "at initialisation, or after training").choices([
        "init",
        "train",
      ]),
    )
    .requiredOption("--out <folder>", "a file for every run: the same command goes on from there")
    .option("--jobs <n>", "runs at once", positive)
    .addOption(
      new Option("--executor <where>", "slurm: one array job")
        .choices(["local", "slurm"])
        .default("local"),
    )
    .option("--slurm <option...>", "further options of sbatch: --slurm=--partition=cpu", [])
    .option("--poll <seconds>", "between two looks at Slurm's queue", number, 2)
    .addHelpText(
      "after",
      "\nnormscope sweep models/lab.py:LabDecoder --over n_layers=2,4,8,16 --over placement=post,pre" +
        "\n  --seeds 5 --out runs/depth",
    )
    .action((model: string, options: SweepOptions) => sweep(context, model, options));

  kinds
    .output(program.command("claims"))
    .description("Run the published claims about Pre-LN and Post-LN, each beside what is expected")
    .option("--only <names>", experimentNames.join(", "))
    .option("--seeds <n>", "of every setting that is run more than once", positive, 3)
    .option("--jobs <n>", "runs at once", positive)
    .action((options: ClaimsOptions) => claims(context, options));

  program
    .command("sweep-task", { hidden: true })
    .argument("<folder>")
    .argument("<index>", "", whole)
    .action((folder: string, index: number) => sweepTask(context, folder, index));
}

/** The commands that train: their arguments and options. */
import { type Command, Option } from "commander";
import { type TrainCommandOptions, train } from "../commands/train.ts";
import type { Context } from "../context.ts";
import { positive, trainingOptions } from "./trainOptions.ts";

/** What `createProgram` gives every command of a kind. */
export interface CommandKinds {
  /** Options of a model, and of what is written of it. */
  readonly model: (command: Command) => Command;
  readonly output: (command: Command) => Command;
}

export function addTrainingCommands(program: Command, context: Context, kinds: CommandKinds): void {
  trainingOptions(
    kinds.model(program.command("train").description("Train a model and watch its layers")),
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
}

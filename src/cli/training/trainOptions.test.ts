import { Command } from "commander";
import { expect, test } from "vitest";
import { type TrainingOptions, trainingOptions, trainSettings } from "./trainOptions.ts";

function settings(args: readonly string[], varied: readonly string[] = []) {
  const command = trainingOptions(new Command().exitOverride().configureOutput({ writeErr() {} }));
  command.parse(args, { from: "user" });
  return trainSettings(command.opts<TrainingOptions>(), "/", varied);
}

test.each([
  ["--lr=-1", "A number of 0 or above is needed"],
  ["--lr=inf", "A number of 0 or above is needed"],
  ["--steps=0", "A whole number above 0 is needed"],
  ["--warmup=0.5", "A whole number of 0 or above is needed"],
  ["--clip=0", "A number above 0 is needed"],
  ["--weight-decay=-0.1", "A number of 0 or above is needed"],
  ["--betas=0.9", "Two numbers of 0 or above and below 1 are needed: 0.9,0.95"],
  ["--betas=0.9,1", "Two numbers of 0 or above and below 1 are needed: 0.9,0.95"],
  ["--decay-share=2", "A number above 0 and at most 1 is needed"],
])("refuses a number that nothing can be trained with: %s", (arg, message) => {
  expect(() => settings([arg])).toThrow(message);
});

test("refuses options that would change nothing", () => {
  expect(() => settings(["--momentum", "0.9"])).toThrow(
    "--momentum is for the optimizer sgd, muon; the optimizer is 'adam'",
  );
  expect(() => settings(["--schedule", "cosine", "--step-length", "5"])).toThrow(
    "--step-length is for the schedule step; the schedule is 'cosine'",
  );
  expect(() => settings(["--optimizer", "sgd", "--nesterov"])).toThrow(
    "--nesterov needs a --momentum above 0",
  );
  expect(() => settings([], ["momentum"])).toThrow("--momentum is for the optimizer");
});

test("takes options that some of several optimizers have", () => {
  const { optimizer } = settings(["--momentum", "0.9"], ["optimizer"]);
  expect(optimizer.momentum).toBe(0.9);
});

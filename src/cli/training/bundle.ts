/** A run of training as a folder: all that somebody else needs for the same numbers, and the numbers. */
import { readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { commandText } from "../../present/commandText.ts";
import { trainingCsv } from "../../present/training/csv.ts";
import { eventFile, eventFileName } from "../../present/training/tensorboard.ts";
import { trainingPage } from "../../present/training/trainingPage.ts";
import type { TrainReport, TrainRequest } from "../../protocol/training.ts";
import { nameOf } from "../commands/shared.ts";

type Files = readonly (readonly [path: string, content: string | Uint8Array])[];

/** Paths are below the bundle's folder. */
export function bundleFiles(request: TrainRequest, report: TrainReport): Files {
  const { end, ...rest } = report;
  const numbers = {
    ...rest,
    end: { ...end, origin: end.origin && { ...end.origin, report: null } },
  };
  const sources = [...new Set([request.file, ...report.files])];
  const inputs = inputsOf(request);
  const events = eventsOf(report);
  return [
    ...sources.map((file) => [file, readFileSync(join(request.root, file))] as const),
    ...inputs.map(({ path, name }) => [name, readFileSync(path)] as const),
    ["run.json", `${JSON.stringify(numbers, null, 2)}\n`],
    ["steps.csv", trainingCsv(report)],
    ["report.html", trainingPage(nameOf(request), report)],
    [events.name, events.content],
    ...(report.plan === null ? [] : [["plan.py", report.plan] as const]),
    ["README.md", bundleText(request, report, inputs)],
  ];
}

export function eventsOf(report: TrainReport): { readonly name: string; content: Uint8Array } {
  const began = (Date.now() - report.timing.trainMs) / 1000;
  return { name: eventFileName(began), content: eventFile(report, began) };
}

interface Input {
  /** Where it lies, absolute. */
  readonly path: string;
  /** Where it lies in the bundle. */
  readonly name: string;
}

/** Texts, tokens and weights. A checkpoint of several files stays where it is: the README names it. */
function inputsOf({ training, weights, tokens }: TrainRequest): Input[] {
  const paths = [training.task?.file, weights?.file, tokens?.file, tokens?.tokenizer];
  return paths
    .filter((path): path is string => Boolean(path) && statSync(path ?? "").isFile())
    .map((path) => ({ path, name: `data/${basename(path)}` }));
}

/** The request that the bundle's own files make. */
function ownRequest(request: TrainRequest, inputs: readonly Input[]): TrainRequest {
  const root = "/bundle";
  const own = (path: string) => {
    const input = inputs.find((it) => it.path === path);
    return input === undefined ? path : `${root}/${input.name}`;
  };
  const { weights, tokens, training } = request;
  const { task } = training;
  return {
    ...request,
    root,
    ...(weights ? { weights: { ...weights, file: own(weights.file) } } : {}),
    ...(tokens
      ? { tokens: { file: own(tokens.file), tokenizer: tokens.tokenizer && own(tokens.tokenizer) } }
      : {}),
    training: { ...training, task: task?.file ? { ...task, file: own(task.file) } : task },
  };
}

function bundleText(request: TrainRequest, report: TrainReport, inputs: readonly Input[]): string {
  const own = ownRequest(request, inputs);
  return [
    `# Training of ${request.entry ?? request.file}`,
    "",
    `Made by Normscope ${report.normscope} on ${report.device.provider}. The same numbers, from this folder:`,
    "",
    "```sh",
    commandText(own, { training: own.training, from: own.root }).trimEnd(),
    "```",
    "",
    `SHA-256 of the step's ONNX graph: ${report.graph.sha256}`,
    "",
    `- ${[request.file, ...report.files.filter((file) => file !== request.file)].join(", ")}: the model's source`,
    ...inputs.map(({ name }) => `- ${name}: what it was given`),
    "- run.json: settings, every step's numbers, how it ended",
    "- steps.csv, report.html, events.out.tfevents…: the same numbers for other readers",
    "- plan.py: how the model was made and called",
    "",
  ].join("\n");
}

/** A form's command, read by the command line, asks the engine what the editor asks. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { commandLine } from "../../src/cli/commandLine.ts";
import type { Context } from "../../src/cli/context.ts";
import type { Output } from "../../src/cli/output.ts";
import { outputFiles } from "../../src/cli/outputFiles.ts";
import type { Engine } from "../../src/client/engineClient.ts";
import { runRequest } from "../../src/extension/runRequest.ts";
import { type Training, trainSettings } from "../../src/extension/trainingRecord.ts";
import { commandText } from "../../src/present/commandText.ts";
import type { RunRequest } from "../../src/protocol/engine.ts";
import { defaultTraining, type TrainingChoice } from "../../src/protocol/trainingPage.ts";
import type { RunConfiguration } from "../../src/protocol/webview.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "normscope command's ")));
mkdirSync(join(root, "models"));
const model = "class Model(nn.Module):\n    def forward(self, idx): return idx\n";
for (const [name, text] of Object.entries({ "models/m.py": model, "words.txt": "a b c" }))
  writeFileSync(join(root, name), text);
afterAll(() => rmSync(root, { recursive: true }));

const plain: RunConfiguration = {
  ...{ uri: `file://${root}/models/m.py`, entry: "Model", set: {}, inputs: [], loss: null },
  ...{ seed: 0, mode: null, device: "auto" },
};
const full: RunConfiguration = {
  ...plain,
  set: { sizes: "(2, 4)", init: "'xavier'", flag: "True", word: "'True'", rate: "1e-3" },
  inputs: [{ name: "idx", dtype: "int64", shape: [2, 8], below: 16 }],
  ...{ loss: "output.mean() * 'x y'.count(' ')", seed: 3, mode: "eval", device: "cpu" },
  ...{ weights: "w.pt", strict: false, tokens: "words.txt", tokenizer: "tokenizer.json" },
};

/** The request that the command line makes of a command. */
async function asked(text: string): Promise<RunRequest> {
  const words = execFileSync("sh", ["-c", text.replace("normscope ", "printf '%s\\0' ")]);
  const requests: RunRequest[] = [];
  const take = (request: RunRequest) => {
    requests.push(request);
    return Promise.reject(new Error("nothing is run here"));
  };
  const silent: Output = { isTerminal: false, columns: 80, write: () => {}, paint: (_, it) => it };
  const engine = { run: take, train: take, dispose: async () => {} } as unknown as Engine;
  const context: Context = {
    ...{ out: silent, err: silent, cwd: root, modelsFolder: root, files: outputFiles() },
    ...{ isDebug: false, confirm: async () => null, engine: () => engine },
    ...{ newEngine: () => engine, ownCommand: [], onInterrupt: () => () => {} },
  };
  await commandLine(words.toString().split("\0").slice(0, -1), context);
  const [request] = requests;
  if (request === undefined) throw new Error(`The command line refused: ${text}`);
  return request;
}

const editors = (configuration: RunConfiguration): RunRequest =>
  runRequest(configuration, {
    path: join(root, "models/m.py"),
    root,
    packages: null,
    source: null,
  });

test.each([plain, full])("a run", async (configuration) => {
  const { source: _, ...wanted } = editors(configuration);
  const said = Object.entries(wanted).filter(([, value]) => value !== null);
  const text = commandText(editors(configuration), { training: null, from: root });
  expect(await asked(text)).toMatchObject(Object.fromEntries(said));
});

const choices: readonly TrainingChoice[] = [
  defaultTraining,
  {
    ...{ ...defaultTraining, task: "words.txt", order: "sequential", batch: 4, accumulate: 2 },
    ...{ optimizer: "adamw", betas: [0.9, 0.95], eps: 1e-6, weightDecay: 0.1, decay: "all" },
    ...{ schedule: "wsd", end: 0.1, decayShare: 0.2, lr: 3e-4, clip: 1, steps: 70 },
  },
  {
    ...{ ...defaultTraining, task: "none", optimizer: "sgd", momentum: 0.9, nesterov: true },
    ...{ schedule: "step", gamma: 0.5, stepLength: 20, warmup: 0, stepsPerCall: 5 },
  },
  { ...defaultTraining, optimizer: "muon", nesterov: false, momentum: 0.8 },
];

test.each(choices)("a run of training with $optimizer", async (choice) => {
  const training = { configuration: full, choice, root, total: choice.steps } as Training;
  const { directory: _, saveEvery: __, ...wanted } = trainSettings(training, "");
  const settings = { ...wanted, directory: null, saveEvery: 1 };
  const request = await asked(commandText(editors(full), { training: settings, from: root }));
  expect(request).toMatchObject({ training: wanted });
});

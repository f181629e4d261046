/** `normscope train` as a process: killed and gone on with, and a bundle that is run again. */
import { execFile, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import type { TrainReport } from "../../src/protocol/training.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const command = join(root, "bin/normscope.mjs");
const folder = realpathSync(mkdtempSync(join(tmpdir(), "normscope-bundle-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function normscope(args: readonly string[], cwd: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [command, ...args], { cwd }, (error, out, err) => {
      if (error === null) resolve(out);
      else reject(new Error(err));
    });
  });
}

const readReport = (path: string): TrainReport => JSON.parse(readFileSync(path, "utf8"));

test("a run that is killed in the middle goes on from its last state, to the same numbers", {
  timeout: 300_000,
}, async () => {
  const args = (out: string, ...more: readonly string[]) => [
    ...["train", join(root, "test/training/with_dropout.py:WithDropout"), "--steps", "400"],
    ...["--batch", "4", "--threads", "1", "--every", "25", "--out", join(folder, out), ...more],
  ];
  await normscope(args("whole"), folder);

  const options = { cwd: folder, stdio: "ignore", detached: true } as const;
  const child = spawn(process.execPath, [command, ...args("killed")], options);
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (!existsSync(join(folder, "killed/state.bin"))) await sleep(5);
  // Its engine too: the whole group, at once.
  process.kill(-(child.pid ?? 0), "SIGKILL");
  await ended;
  expect(existsSync(join(folder, "killed/report.json"))).toBe(false);

  await normscope(args("killed", "--resume"), folder);
  const [whole, resumed] = ["whole", "killed"].map((it) =>
    readReport(join(folder, it, "report.json")),
  );
  expect(resumed?.timing.trained).toBeLessThan(400);
  expect(resumed?.steps).toEqual(whole?.steps);
});

const layers = `import torch.nn as nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return x + self.linear(self.norm(x))
`;
const model = `import torch.nn as nn

from parts.layers import Block


class Bytes(nn.Module):
    def __init__(self, width=16, depths=(1, 1)):
        super().__init__()
        self.embed = nn.Embedding(256, width)
        self.blocks = nn.ModuleList(Block(width) for _ in range(sum(depths)))
        self.head = nn.Linear(width, 256)

    def forward(self, idx):
        x = self.embed(idx)
        for block in self.blocks:
            x = block(x)
        return self.head(x)
`;

test("a bundle, unpacked elsewhere and run by its own words, gives the same numbers", {
  timeout: 300_000,
}, async () => {
  const workspace = join(folder, "workspace");
  mkdirSync(join(workspace, "parts"), { recursive: true });
  writeFileSync(join(workspace, "parts/layers.py"), layers);
  writeFileSync(join(workspace, "model.py"), model);
  writeFileSync(join(workspace, "it's a text.txt"), "to be or not to be, ".repeat(60));
  const settings = [
    ...["--set", "depths=(1, 2)", "--task", "it's a text.txt", "--order", "sequential"],
    ...["--optimizer", "adamw", "--betas", "0.9,0.95", "--weight-decay", "0.1", "--decay", "all"],
    ...["--schedule", "wsd", "--warmup", "3", "--steps", "12", "--accumulate", "2", "--clip", "1"],
    ...["--seed", "5", "--task-seed", "2", "--threads", "1", "--bundle", join(folder, "bundle")],
  ];
  await normscope(["train", "model.py:Bytes", ...settings], workspace);
  rmSync(workspace, { recursive: true });

  const bundle = join(folder, "bundle");
  const text = readFileSync(join(bundle, "README.md"), "utf8");
  const [, script = ""] = /```sh\n([\s\S]*?)```/.exec(text) ?? [];
  const words = script.replace("normscope ", "printf '%s\\0' ");
  const args = await new Promise<string>((resolve) => {
    execFile("sh", ["-c", words], (_, out) => resolve(out));
  });
  await normscope([...args.split("\0").slice(0, -1), "--json", "again.json"], bundle);
  const [first, again] = ["run.json", "again.json"].map((it) => readReport(join(bundle, it)));
  expect(first?.files).toEqual(["model.py", "parts/layers.py"]);
  expect(again?.steps).toEqual(first?.steps);
  expect(again?.graph).toEqual(first?.graph);
  expect(again?.parameterGradients).toEqual(first?.parameterGradients);
});

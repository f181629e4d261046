/** Mistakes of training loops, written into loops that are right. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const file = "trainer.py";
const right = readFileSync(new URL(file, import.meta.url), "utf8");

type Edit = readonly [from: string, to: string];

/** What is written in the place of what, the code, and a piece of the finding's line. */
const mistakes: Readonly<Record<string, readonly [readonly Edit[], string, string]>> = {
  "no gradient is set to zero": [
    [
      ["                opt.zero_grad()\n", ""],
      ["            self.optimizer.zero_grad(set_to_none=True)\n", ""],
    ],
    "training/gradients-kept",
    "(loss / accumulate).backward()",
  ],
  "zero_grad in front of the step": [
    [
      ["                opt.zero_grad()\n", ""],
      ["                opt.step()", "                opt.zero_grad()\n                opt.step()"],
    ],
    "training/gradients-kept",
    "opt.zero_grad()",
  ],
  "zeroed in a class": [
    [
      ["            self.optimizer.zero_grad(set_to_none=True)\n", ""],
      [
        "            self.scaler.unscale_(",
        "            self.optimizer.zero_grad()\n            self.scaler.unscale_(",
      ],
    ],
    "training/gradients-kept",
    "self.optimizer.zero_grad()",
  ],
  "clipped behind the step": [
    [
      ["                nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n", ""],
      [
        "                opt.step()\n",
        "                opt.step()\n                nn.utils.clip_grad_norm_(model.parameters(), 1.0)\n",
      ],
    ],
    "training/clip-place",
    "nn.utils.clip_grad_norm_",
  ],
  "clipped in front of backward": [
    [
      ["            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)\n", ""],
      [
        "            loss = F.cross_entropy(self.model(x).tr",
        "            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)\n            loss = F.cross_entropy(self.model(x).tr",
      ],
    ],
    "training/clip-place",
    "torch.nn.utils.clip_grad_norm_",
  ],
  "clipped while scaled": [
    [["            self.scaler.unscale_(self.optimizer)\n", ""]],
    "training/clip-place",
    "torch.nn.utils.clip_grad_norm_",
  ],
  "added and not divided": [
    [["(loss / accumulate).backward()", "loss.backward()"]],
    "training/accumulation",
    "loss.backward()",
  ],
  "added in a loop of its own": [
    [
      [
        "            self.scaler.scale(loss).backward()\n",
        "            for _ in range(4):\n                self.scaler.scale(loss).backward(retain_graph=True)\n",
      ],
    ],
    "training/accumulation",
    "self.scaler.scale(loss).backward(",
  ],
  "evaluation goes on": [
    [
      ["        model.train()\n", ""],
      ["    for epoch", "    model.train()\n    for epoch"],
    ],
    "training/eval-mode",
    "model.eval()",
  ],
  "the schedule first": [
    [
      ["            self.scheduler.step()\n", ""],
      [
        "            self.scaler.step(self",
        "            self.scheduler.step()\n            self.scaler.step(self",
      ],
    ],
    "training/scheduler-step",
    "self.scheduler.step()",
  ],
  "the schedule by batches": [
    [["        schedule.step()", "            schedule.step()"]],
    "training/scheduler-step",
    "schedule.step()",
  ],
  "the schedule by rounds": [
    [["T_max=epochs", "T_max=epochs * len(loader)"]],
    "training/scheduler-step",
    "schedule.step()",
  ],
  "a new head": [
    [["    schedule = Cos", "    model.head = nn.Linear(16, 5)\n    schedule = Cos"]],
    "training/replaced-parameters",
    "model.head = nn.Linear(16, 5)",
  ],
};

test.each(Object.entries(mistakes))("%s", async (_, [edits, code, piece]) => {
  const source = edits.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, right);
  const { findings } = await runClass(file, "Model", {}, source);
  const found = findings.find((finding) => finding.code === code);
  expect(findings.map((finding) => finding.code)).toContain(code);
  expect(source.split("\n")[(found?.line ?? 0) - 1]).toContain(piece);
});

test.each([
  ["as they stand", right],
  [
    "a wrapper of the model",
    right.replace("    schedule = Cos", "    model = nn.DataParallel(model)\n    schedule = Cos"),
  ],
  [
    "gradients set to None by hand",
    right.replaceAll(
      /\w*(?:\.optimizer|opt)\.zero_grad\(.*\)/g,
      "for p in model.parameters(): p.grad = None",
    ),
  ],
])("%s, loops are right", async (_, source) => {
  const { findings } = await runClass(file, "Model", {}, source);
  expect(findings.filter(({ code }) => code.startsWith("training/"))).toEqual([]);
});

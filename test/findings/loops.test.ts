/** Mistakes of optimizers, scalers, schedules and losses, written into loops that are right. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const file = "loops.py";
const right = readFileSync(new URL(file, import.meta.url), "utf8");

type Edit = readonly [from: string, to: string];

const noSchedule: readonly Edit[] = [
  ["        schedule.step()\n", ""],
  ["    schedule = StepLR(optimizer, 1)\n", ""],
  ["from torch.optim.lr_scheduler import StepLR\n", ""],
];

/** What is written in the place of what, the code, and a piece of the finding's line. */
const mistakes: Readonly<Record<string, readonly [readonly Edit[], string, string]>> = {
  "set to zero once a round": [
    [
      ["            optimizer.zero_grad()\n", ""],
      ["        sgd.zero_grad(set_to_none=True)\n", "        model.load()\n"],
      ["        model.train()\n", "        model.train()\n        optimizer.zero_grad()\n"],
    ],
    "training/gradients-kept",
    "loss.backward()",
  ],
  "a step in front of backward": [
    [
      ["            optimizer.step()\n", ""],
      [
        "            loss.backward()\n",
        "            optimizer.step()\n            loss.backward()\n",
      ],
    ],
    "training/gradients-kept",
    "optimizer.step()",
  ],
  "zero_grad without brackets": [
    [["optimizer.zero_grad()", "optimizer.zero_grad"]],
    "training/not-called",
    "optimizer.zero_grad",
  ],
  "train without brackets": [
    [["model.train()", "model.train"]],
    "training/not-called",
    "model.train",
  ],
  "a new optimizer for each batch": [
    [
      ["    optimizer = optim.AdamW(params, lr=1e-2)\n", ""],
      [
        "            optimizer.zero_grad()\n",
        "            optimizer = optim.AdamW(params, lr=1e-2)\n            optimizer.zero_grad()\n",
      ],
    ],
    "training/optimizer-place",
    "optim.AdamW(",
  ],
  "a step past the scaler": [[["scaler.step(sgd)", "sgd.step()"]], "training/scaler", "sgd.step()"],
  "a scale that stays": [
    [["        scaler.update()\n", ""]],
    "training/scaler",
    "scaler.step(sgd)",
  ],
  "clipped in front of unscale_": [
    [
      ["        scaler.unscale_(sgd)\n", ""],
      ["        scaler.step(sgd)\n", "        scaler.unscale_(sgd)\n        scaler.step(sgd)\n"],
    ],
    "training/clip-place",
    "clip_grad_norm_(model",
  ],
  "a sum that keeps graphs": [
    [["total += loss.item()", "total = total + loss * x.size(0)"]],
    "training/graph-kept",
    "total = total + loss",
  ],
  "a list that keeps graphs": [
    [["losses.append(loss.detach())", "losses.append(loss)"]],
    "training/graph-kept",
    "losses.append(loss)",
  ],
  "a loss made anew": [
    [
      [
        "            loss.backward()\n",
        "            loss = torch.tensor(loss.item(), requires_grad=True)\n            loss.backward()\n",
      ],
    ],
    "training/loss-anew",
    "torch.tensor(loss.item()",
  ],
  "probabilities for a cross-entropy": [
    [["logits = model(x)", "logits = torch.softmax(model(x), dim=-1)"]],
    "loss/double-softmax",
    "torch.softmax(",
  ],
  "logarithms for a cross-entropy": [
    [
      [
        "model(x).transpose(1, 2), y)\n        scaler",
        "model(x).log_softmax(-1).mT, y)\n        scaler",
      ],
    ],
    "loss/log-twice",
    "log_softmax(-1)",
  ],
  "an iterator that is spent": [
    [["list(filter(lambda p: p.requires_grad, model.parameters()))", "model.parameters()"]],
    "training/spent-parameters",
    "clip_grad_norm_(params",
  ],
  "evaluation in a function": [
    [
      ["        model.train()\n", ""],
      ["    for round", "    model.train()\n    for round"],
    ],
    "training/eval-mode",
    "evaluate(model, held_out)",
  ],
  "half and Adam": [
    [
      ['Model().to("cuda")', 'Model().to("cuda").half()'],
      ["AdamW(params,", "AdamW(model.parameters(),"],
    ],
    "training/half-optimizer",
    "optim.AdamW(",
  ],
  "a schedule that is never stepped": [
    [["        schedule.step()\n", ""]],
    "training/scheduler-step",
    "StepLR(optimizer, 1)",
  ],
  "no warm-up": [noSchedule, "training/no-warm-up", "lr=1e-2"],
};

const edited = (edits: readonly Edit[]): string =>
  edits.reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, right);

test.each(Object.entries(mistakes))("%s", async (_, [edits, code, piece]) => {
  const source = edited(edits);
  const { findings } = await runClass(file, "Model", {}, source);
  const found = findings.find((finding) => finding.code === code);
  expect(findings.map((finding) => finding.code)).toContain(code);
  expect(source.split("\n")[(found?.line ?? 0) - 1]).toContain(piece);
});

const alike: Readonly<Record<string, readonly Edit[]>> = {
  "as they stand": [],
  "a small rate from the start": [...noSchedule, ["lr=1e-2", "lr=1e-3"]],
  "gradients set to zero behind the step": [
    ["            optimizer.zero_grad()\n", ""],
    [
      "            optimizer.step()\n",
      "            optimizer.step()\n            optimizer.zero_grad()\n",
    ],
  ],
  "SGD has nothing to keep": [
    ["    sgd = optim.SGD(model.parameters(), lr=0.1)\n", ""],
    [
      "        sgd.zero_grad(",
      "        sgd = optim.SGD(model.parameters(), lr=0.1)\n        sgd.zero_grad(",
    ],
  ],
  "half with an eps that it has": [
    ['Model().to("cuda")', 'Model().to("cuda").half()'],
    ["AdamW(params,", "AdamW(model.parameters(), eps=1e-4,"],
  ],
  "a loss that is a number already": [
    [
      "            total += loss.item()\n            losses.append(loss.detach())\n",
      "            loss = loss.item()\n            total += loss\n            losses.append(loss)\n",
    ],
    ["torch.stack(losses).mean()", "losses"],
  ],
  "a step that is left out by hand": [
    ["        nn.utils.clip_grad_norm_(model.", "        norm = nn.utils.clip_grad_norm_(model."],
    ["        scaler.step(sgd)\n", "        if norm.isfinite():\n            sgd.step()\n"],
  ],
  "evaluation that goes back by itself": [
    ["    model.eval()\n    with", "    model.eval()\n    model.train()\n    with"],
    ["        model.train()\n", ""],
  ],
};

test.each(Object.entries(alike))("%s: the loops are right", async (_, edits) => {
  const { findings } = await runClass(file, "Model", {}, edited(edits));
  expect(findings.filter(({ code }) => /^training|^loss/.test(code))).toEqual([]);
});

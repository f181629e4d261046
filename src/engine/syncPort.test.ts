import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, test } from "vitest";
import { torchError } from "../errors.ts";
import { answerSync, syncChannel } from "./syncPort.ts";

const folder = mkdtempSync(join(tmpdir(), "normscope-sync-"));
const entry = join(folder, "asker.cjs");

/** Asks for each number in turn and sends back what it got. */
const askerSource = `
  import { parentPort } from "node:worker_threads";
  import { askSync } from "./syncPort.ts";
  parentPort.once("message", ({ asker, questions }) => {
    const ask = (question) => {
      try {
        return askSync(asker, question);
      } catch (error) {
        return { code: error.code, pythonType: error.pythonType, message: error.message };
      }
    };
    parentPort.postMessage(questions.map(ask));
    asker.port.close();
  });
`;

beforeAll(async () => {
  await build({
    stdin: { contents: askerSource, resolveDir: import.meta.dirname, loader: "ts" },
    outfile: entry,
    bundle: true,
    format: "cjs",
    platform: "node",
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function answersTo<Q>(questions: Q[], answer: (question: Q) => unknown): Promise<unknown> {
  const { asker, answerer } = syncChannel();
  answerSync(answerer, answer);
  const worker = new Worker(entry);
  const answers = new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  worker.postMessage({ asker, questions }, [asker.port]);
  try {
    return await answers;
  } finally {
    await worker.terminate();
    answerer.port.close();
  }
}

test("waits for each answer in turn", async () => {
  const doubled = await answersTo([1, 2, 3], async (question) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return 2 * question;
  });
  expect(doubled).toEqual([2, 4, 6]);
});

test("throws the answering side's error on the asking side, and goes on", async () => {
  const answers = await answersTo(["bad", "good"], (question) => {
    if (question === "bad") throw torchError("IndexError", "index 3 is out of bounds");
    return question;
  });
  expect(answers).toEqual([
    { code: "trace/python", pythonType: "IndexError", message: "index 3 is out of bounds" },
    "good",
  ]);
});

test("carries typed arrays", async () => {
  const answers = await answersTo([2], (length) => new Float32Array(length).fill(0.5));
  expect(answers).toEqual([new Float32Array([0.5, 0.5])]);
});

test("a worker that waits for an answer can be ended", async () => {
  const { asker, answerer } = syncChannel();
  const worker = new Worker(entry);
  const asked = new Promise((resolve) => answerer.port.once("message", resolve));
  worker.postMessage({ asker, questions: [1] }, [asker.port]);
  await asked;
  expect(await worker.terminate()).toBe(1);
  answerer.port.close();
});

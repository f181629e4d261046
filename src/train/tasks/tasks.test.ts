import { expect, test } from "vitest";
import type { TaskSpec } from "../../protocol/training.ts";
import { createTask, type TaskSize } from "./index.ts";

const size: TaskSize = { batch: 2, seq: 8, vocabulary: 16 };
const none = () => new Uint8Array(0);

function make(name: TaskSpec["name"], more: Partial<TaskSpec> = {}, bytes = none) {
  return createTask({ name, file: null, order: "random", seed: 0, ...more }, size, bytes);
}

test("a batch is the same for the same index and seed", () => {
  expect(make("markov").batch(3)).toEqual(make("markov").batch(3));
  expect(make("markov").batch(3)).not.toEqual(make("markov").batch(4));
  expect(make("markov").batch(3)).not.toEqual(make("markov", { seed: 1 }).batch(3));
});

test("the Markov source has the recorded entropies", () => {
  const { unigram, floor } = make("markov").reference;
  expect(unigram?.toFixed(3)).toBe("2.588");
  expect(floor?.toFixed(3)).toBe("1.394");
});

test("copy and reverse ask for the second half alone", () => {
  for (const name of ["copy", "reverse"] as const) {
    const { tokens, targets } = make(name).batch(0);
    const first = [...tokens.slice(0, 4)];
    expect(tokens[4]).toBe(15);
    expect([...targets.slice(0, 4)]).toEqual([-100, -100, -100, -100]);
    expect([...targets.slice(4, 8)]).toEqual(name === "copy" ? first : first.reverse());
  }
});

test("sums are asked for after the equals sign", () => {
  const { tokens, targets } = make("modular-addition").batch(0);
  for (let at = 0; at < 16; at++) {
    const isAsked = tokens[at] === 15;
    const sum = ((tokens[at - 2] ?? 0) + (tokens[at - 1] ?? 0)) % 15;
    expect(targets[at]).toBe(isAsked ? sum : -100);
  }
});

test("induction asks only for what came before", () => {
  const { tokens, targets } = make("induction").batch(0);
  const asked = [...targets.slice(0, 8)].findIndex((target) => target >= 0);
  expect(asked).toBeGreaterThan(1);
  expect(targets[asked]).toBe(tokens[1]);
});

test("token files are read as uint16, one window after another where wanted", () => {
  const bytes = Uint8Array.from({ length: 80 }, (_, at) => (at % 2 === 0 ? (at / 2) % 16 : 0));
  const task = make("file", { file: "a.bin", order: "sequential" }, () => bytes);
  expect([...task.batch(0).tokens]).toEqual([...Array(16).keys()]);
  expect([...task.batch(0).targets.slice(0, 3)]).toEqual([1, 2, 3]);
});

test("refuses more symbols than the model has", () => {
  expect(() => make("text")).toThrow("The task 'text' has");
  expect(() => make("file", { file: "a.txt" }, () => new Uint8Array(4))).toThrow(
    "'a.txt' cannot be trained on: it has 4 tokens, and a row needs 9",
  );
});

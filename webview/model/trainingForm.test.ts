import { expect, test } from "vitest";
import { defaultTraining } from "../../src/protocol/trainingPage.ts";
import {
  specialFields,
  trainingChoiceOf,
  trainingContent,
  trainingMistakes,
} from "./trainingForm.ts";

const content = trainingContent(defaultTraining);

test("a form that was not touched trains with what it started from", () => {
  expect(trainingMistakes(content)).toEqual([]);
  expect(trainingChoiceOf(content)).toEqual(defaultTraining);
});

test("a file in place of a task comes back as a path", () => {
  const choice = { ...defaultTraining, task: "data/words.txt", clip: 1 };
  const typed = trainingContent(choice);
  expect(typed).toMatchObject({ task: "file", file: "data/words.txt", clip: "1" });
  expect(trainingChoiceOf(typed)).toEqual(choice);
  expect(trainingMistakes({ ...typed, file: " " })).toEqual(["file"]);
});

test("what is no number, or too small, is said", () => {
  const wrong = { ...content, steps: "0", lr: "fast", warmup: "-1", clip: "0", seq: "1.5" };
  expect(trainingMistakes(wrong)).toEqual(["steps", "seq", "lr", "warmup", "clip"]);
  expect(trainingChoiceOf(wrong)).toBeNull();
  expect(trainingMistakes({ ...content, lr: "3e-4" })).toEqual([]);
});

test("an optimizer and a schedule have their own fields, and others do not count", () => {
  const typed = { optimizer: "adamw", schedule: "wsd", betas: "0.9, .95", eps: "1e-6" };
  const all = { ...content, ...typed, weightDecay: "0.1", decayShare: "0.2", end: "0.1" };
  expect([...specialFields(all)]).toEqual(["betas", "eps", "end", "decayShare"]);
  const choice = trainingChoiceOf({ ...all, momentum: "much", gamma: "-1", nesterov: "True" });
  expect(choice).toMatchObject({ betas: [0.9, 0.95], eps: 1e-6, weightDecay: 0.1 });
  expect(choice).toMatchObject({ momentum: null, nesterov: null, gamma: null, decayShare: 0.2 });
  expect(trainingContent(choice ?? defaultTraining)).toMatchObject({ betas: "0.9, 0.95" });
});

test("betas are two numbers below 1", () => {
  const wrong = (betas: string) => trainingMistakes({ ...content, betas });
  expect(wrong("0.9")).toEqual(["betas"]);
  expect(wrong("0.9, 1")).toEqual(["betas"]);
  expect(wrong("0.9, 0.95, 0.99")).toEqual(["betas"]);
  expect(wrong(" ")).toEqual([]);
});

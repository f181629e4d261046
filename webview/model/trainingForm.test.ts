import { expect, test } from "vitest";
import { defaultTraining } from "../../src/protocol/trainingPage.ts";
import { trainingChoiceOf, trainingContent, trainingMistakes } from "./trainingForm.ts";

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

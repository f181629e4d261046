import { expect, test } from "vitest";
import { initWith, sampleForm, shownRun } from "../../test/e2e/pages/sampleRuns.ts";
import { emptySession, received } from "./session.ts";

test("starts with what the extension knows", () => {
  const session = received(emptySession, initWith({ shown: [shownRun("pre")], page: "compare" }));
  expect(session.page).toBe("compare");
  expect(session.shown.map(({ label }) => label)).toEqual(["Pre-LN"]);
});

test("a run that begins takes the last failure away, one that fails ends the progress", () => {
  const failure = { code: "trace/python", message: "no", hint: null, place: null };
  const progress = { subject: "a.py", stage: "Tracing", since: 0 };
  const failed = received(emptySession, { type: "failed", failure });
  const running = received(failed, { type: "progress", progress });
  expect([running.failure, running.progress]).toEqual([null, progress]);
  const again = received(running, { type: "failed", failure });
  expect([again.failure, again.progress]).toEqual([failure, null]);
});

test("a shown run follows its entry in the history", () => {
  const run = shownRun("pre");
  const session = received(emptySession, initWith({ shown: [run] }));
  const runs = [{ ...run.summary, isStale: true }];
  expect(received(session, { type: "runs", runs }).shown[0]?.summary.isStale).toBe(true);
});

test("what a run needs belongs to the form that it was asked for", () => {
  const memory = { failure: { message: "no" } };
  const told = received(emptySession, { type: "memory", memory });
  expect(told.memory).toBe(memory);
  const form = { type: "configure", page: "configure", form: sampleForm } as const;
  expect(received(told, form).memory).toBeNull();
});

test("a form opens the page that it is for", () => {
  const session = received(
    { ...emptySession, page: "compare" },
    { type: "configure", page: "configure", form: sampleForm },
  );
  expect([session.page, session.form?.title]).toEqual(["configure", "PreLNTransformer"]);
});

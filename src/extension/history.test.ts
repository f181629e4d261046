import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { preReport, preSource } from "../../test/fixtures/reports.ts";
import { openHistory } from "./history.ts";
import { type StoredRun, storedRun } from "./storedRun.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "normscope-history-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run = (id: string): StoredRun => {
  const configuration = {
    uri: "file:///models/pre.py",
    entry: "PreLNTransformer",
    set: {},
    inputs: [],
    loss: null,
    seed: 0,
    mode: null,
    device: "auto" as const,
  };
  const texts = { "/models/pre.py": preSource() };
  return storedRun(preReport(), { id, at: Number(id), configuration, root: "/models" }, texts);
};
const ids = async (history = openHistory(folder)) => (await history.heads()).map(({ id }) => id);

test("a new window finds the runs of the last one, newest first", async () => {
  const history = openHistory(folder);
  await Promise.all([history.add(run("1"), 9), history.add(run("2"), 9)]);
  expect((await ids()).toSorted()).toEqual(["1", "2"]);
  expect(await openHistory(folder).load("1")).toEqual(run("1"));
});

test("the oldest is forgotten, with its file", async () => {
  const history = openHistory(folder);
  for (const id of ["1", "2", "3"]) await history.add(run(id), 2);
  expect(await ids()).toEqual(["3", "2"]);
  expect(readdirSync(folder).toSorted()).toEqual(["2.json", "3.json", "index.json"]);
});

test("a run can be named and deleted", async () => {
  const history = openHistory(folder);
  await history.add(run("1"), 9);
  await history.add(run("2"), 9);
  await history.rename("1", "wider");
  expect((await openHistory(folder).load("1"))?.head.name).toBe("wider");
  await history.remove(["1"]);
  expect(await ids()).toEqual(["2"]);
  expect(await history.load("1")).toBeNull();
});

test("what cannot be read is not there", async () => {
  writeFileSync(join(folder, "index.json"), '{"version":1,"heads":[');
  expect(await ids()).toEqual([]);
  writeFileSync(join(folder, "index.json"), '{"version":0,"heads":[{"id":"1"}]}');
  expect(await ids()).toEqual([]);
  expect(await ids(openHistory(join(folder, "missing")))).toEqual([]);
});

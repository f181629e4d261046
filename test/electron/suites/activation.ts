/** The extension comes up, and brings what its manifest declares. */
import { deepEqual, equal, ok } from "node:assert/strict";
import { commands, tasks } from "vscode";
import { eventually } from "../../e2e/harness/waiting.ts";
import { api, lensesOf, manifest, open } from "../editor.ts";
import { note, test } from "../harness.ts";

test("opening a Python file activates it, and lenses stand", async () => {
  const began = performance.now();
  const document = await open("pre_ln.py");
  const lenses = await eventually("lenses", async () => {
    const all = await lensesOf(document);
    return all.length > 0 && all;
  });
  note(`lenses ${(performance.now() - began).toFixed(0)} ms after opening the file`);
  const titles = lenses.map(({ command }) => command?.title ?? "");
  ok(titles.some((title) => title.endsWith("Run")));
  ok(titles.includes("Compare Pre-LN and Post-LN"));
});

test("every command of the manifest is there", async () => {
  const { contributes } = manifest();
  const known = new Set(await commands.getCommands(true));
  const missing = contributes.commands
    .map(({ command }: { readonly command: string }) => command)
    .filter((command: string) => !known.has(command));
  deepEqual(missing, []);
});

test("the programming interface says its version", async () => {
  const { version, report } = await api();
  equal(version, 1);
  equal(report, null);
});

test("the command line is offered as a task", async () => {
  const offered = await tasks.fetchTasks({ type: "normscope" });
  deepEqual(
    offered.map(({ name }) => name),
    ["doctor"],
  );
});

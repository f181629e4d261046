/** What people expect of an extension, in the fake editor: docs/conventions.md has the list. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { cancelled } from "../../src/errors.ts";
import { registerDeviceNotice } from "../../src/extension/deviceNotice.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import { preReport, preSource } from "../fixtures/reports.ts";
import { type FakeEditor, modelPath, startEditor } from "./editor.ts";
import {
  fake,
  type Position,
  Selection,
  TabInputTextDiff,
  Uri,
  window,
  workspace,
} from "./fake/vscode.ts";

const source = preSource();
let it: FakeEditor;
beforeEach(() => {
  it = startEditor(source);
});
afterEach(() => it.dispose());

type Editor = FakeEditor["editor"];
interface Value {
  readonly range: { readonly start: Position };
  readonly renderOptions: {
    readonly after: { readonly contentText: string; readonly margin: string };
  };
}

/** What stands beside the lines of an editor. */
const valuesIn = ({ drawn }: Pick<Editor, "drawn">): Value[] =>
  [...drawn].flatMap(([type, options]) => ("after" in type ? (options as readonly Value[]) : []));
const textsIn = (editor: Pick<Editor, "drawn">): string[] =>
  valuesIn(editor).map(
    ({ range, renderOptions }) => `${range.start.line + 1} ${renderOptions.after.contentText}`,
  );

test("two editors of one document show the same numbers, before and after an edit", async () => {
  const beside = fake.split(it.document);
  await it.run();
  expect(textsIn(it.editor).length).toBeGreaterThan(1);
  expect(textsIn(beside)).toEqual(textsIn(it.editor));
  fake.edit(it.document, `# more\n${source}`);
  expect(textsIn(beside).every((text) => / edited/.test(text))).toBe(true);
  expect(textsIn(beside)).toEqual(textsIn(it.editor));
});

test("of several roots the nearest is the model's", async () => {
  workspace.workspaceFolders = [{ uri: Uri.file("/elsewhere") }, { uri: Uri.file("/models") }];
  await it.run();
  expect(it.engine.last).toMatchObject({ root: "/models", file: "pre.py" });
  workspace.workspaceFolders = [{ uri: Uri.file("/") }, { uri: Uri.file("/elsewhere") }];
  await it.run();
  expect(it.engine.last?.root).toBe("/models");
});

test("a diff has no numbers unless they are asked for", async () => {
  await it.run();
  const all = textsIn(it.editor);
  const input = new TabInputTextDiff(Uri.file("/before/pre.py"), Uri.file(modelPath));
  window.tabGroups.all = [{ viewColumn: 1, activeTab: { input } }];
  fake.events.visibleEditors.fire(window.visibleTextEditors);
  expect(textsIn(it.editor)).toEqual([]);
  fake.set("inline.diffEditors", true);
  expect(textsIn(it.editor)).toEqual(all);
});

test("numbers keep the distance that is set, for what others write behind the line", async () => {
  await it.run();
  const margins = () => new Set(valuesIn(it.editor).map((one) => one.renderOptions.after.margin));
  expect([...margins()]).toEqual(["0 0 0 3ch"]);
  fake.set("inline.margin", 40);
  expect([...margins()]).toEqual(["0 0 0 40ch"]);
});

const finding: RunReport["findings"][number] = {
  ...{ code: "init/loss", severity: "information", message: "Large", file: "pre.py", line: 24 },
  ...{ module: "blocks.2", evidence: {} },
};

interface ModelView {
  readonly message: string;
  readonly description: string;
  readonly badge?: { readonly value: number; readonly tooltip: string };
  readonly showCollapseAll: boolean;
  readonly revealed: readonly { readonly path: string }[];
}
const modelView = () => fake.trees.get("normscope.model") as unknown as ModelView;

test("the view of the model tells what goes on, what it shows, and how many findings there are", async () => {
  expect(modelView().showCollapseAll).toBe(true);
  let finish = (_report: RunReport) => {};
  it.engine.answer = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const running = it.run();
  await expect.poll(() => modelView().message).toBe("starting Python…");
  expect(modelView().badge).toBeUndefined();
  await expect.poll(() => it.engine.requests).toBe(1);
  finish({ ...preReport(), findings: [finding] });
  await running;
  expect(modelView()).toMatchObject({ message: "", badge: { value: 1, tooltip: "1 finding" } });
  expect(modelView().description).toContain("PreLNTransformer");
  await fake.commands.get("normscope.filterModules")?.("attn");
  expect(modelView().message).toMatch(/^\d+ modules match 'attn'$/);
});

test("the tree follows the cursor where that is wanted", async () => {
  await it.run();
  const [first] = valuesIn(it.editor);
  const line = first?.range.start.line ?? 0;
  const move = () => {
    it.editor.selection = new Selection(line, 0, line, 0);
    fake.events.selection.fire({ textEditor: it.editor });
  };
  move();
  expect(modelView().revealed).toEqual([]);
  fake.set("model.followCursor", true);
  move();
  expect(modelView().revealed.map(({ path }) => path)).toMatchObject([/^blocks\.\d/]);
});

test("the language's status item tells of the file that is edited", async () => {
  const status = () => fake.languageStatus as { text: string; detail: string; command: object };
  await it.run();
  expect(status()).toMatchObject({ text: "4 blocks, Pre-LN", busy: false });
  expect(status().detail).toMatch(/^run in .* on cpu$/);
  expect(status().command).toMatchObject({ command: "normscope.run", title: "Run Again" });
  fake.set("inline.delay", 0);
  fake.edit(it.document, `# more\n${source}`);
  await expect.poll(() => status().detail).toBe("edited since the run");
  fake.open(Uri.file("/models/plain.py"), "print(1)\n");
  expect(status()).toMatchObject({ text: "no model", command: undefined });
});

test("a run over its time is ended, and told as that", async () => {
  fake.set("run.timeLimit", 0.05);
  it.engine.answer = ({ signal }) =>
    new Promise((_, reject) => signal?.addEventListener("abort", () => reject(cancelled())));
  await it.run();
  expect(fake.messages.join()).toMatch(/longer than 0\.05 s|0\.05 s/);
  expect(it.ctx.runs.failure?.code).toBe("engine/time-limit");
});

test("why it runs on the processor is told once in a window, and never again where that is wanted", async () => {
  const passedOver = [{ provider: "cuda", reason: "there is no NVIDIA driver" }];
  const device = { requested: "auto", provider: "cpu", passedOver };
  it.engine.answer = async () => ({ ...preReport(), device });
  fake.answers.push("Don't Show Again");
  const [notice] = registerDeviceNotice(it.ctx);
  await it.run();
  await it.run();
  const told = () => fake.messages.filter((text) => text.startsWith("Normscope runs on"));
  expect(told()).toEqual(["Normscope runs on cpu: cuda: there is no NVIDIA driver"]);
  expect(it.ctx.extension.globalState.get("no device notice")).toBe(true);
  notice?.dispose();
});

test("an issue carries versions and the last error, diagnostics carry no source", async () => {
  await it.run();
  await fake.commands.get("normscope.reportIssue")?.();
  const [, issue] = fake.executed.find(([name]) => name.endsWith("openIssueReporter")) ?? [];
  expect(issue).toMatchObject({ extensionId: "normscope.normscope" });
  expect(JSON.stringify(issue)).toMatch(/Normscope: 1\.2\.3.*VS Code.*Device: cpu/);
  fake.answers.push([Uri.file("/tmp/here")]);
  await fake.commands.get("normscope.collectDiagnostics")?.();
  const text = fake.written.get("/tmp/here/normscope-diagnostics.json") ?? "";
  const facts = JSON.parse(text);
  expect(facts).toMatchObject({ doctor: { processors: 2 }, runs: [{ device: "cpu" }] });
  expect(text).not.toMatch(/class |def |pre\.py/);
});

test("a key in a file of five thousand lines costs less than five milliseconds", async () => {
  it.dispose();
  const rest = Array.from({ length: 4950 }, (_, at) => `def f${at}(x): return x + ${at}`).join(
    "\n",
  );
  it = startEditor(`${source}\n\n${rest}\n`);
  await it.run();
  const times: number[] = [];
  for (let key = 0; key < 30; key++) {
    const text = `${it.document.text}#`;
    const began = performance.now();
    fake.edit(it.document, text);
    times.push(performance.now() - began);
  }
  // The least of them: a machine that does other work is no fault.
  expect(Math.min(...times)).toBeLessThan(5);
  expect(textsIn(it.editor).length).toBeGreaterThan(1);
});

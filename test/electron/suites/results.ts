/** What a run leaves in the editor, as other extensions and assistive technology read it. */
import { equal, match, ok, rejects } from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  ConfigurationTarget,
  commands,
  type Hover,
  type InlayHint,
  languages,
  lm,
  type MarkdownString,
  Range,
  type Task,
  type TextDocument,
  tasks,
  Uri,
  WorkspaceEdit,
  workspace,
} from "vscode";
import type { SetUp } from "../../../src/extension/setUpCuda.ts";
import { eventually } from "../../e2e/harness/waiting.ts";
import { api, fileUri, folder, lensesOf, open, positionOf, runSmall } from "../editor.ts";
import { note, test } from "../harness.ts";

const streamLine = "x = x + self.attn(self.norm1(x))";

test("a run through the interface gives its report, and tells of it", async () => {
  const it = await api();
  const heard = new Promise((done) => {
    const subscription = it.onDidChangeReport((report) => {
      subscription.dispose();
      done(report);
    });
  });
  const report = await runSmall();
  equal(await heard, report);
  equal(report.blocks.length, 2);
  equal(report.device.provider, "cpu");
  ok(Math.abs(Number(report.loss) - Math.log(256)) < 1.5);
});

test("lenses tell the numbers", async () => {
  const document = await open("pre_ln.py");
  const titles = (await lensesOf(document)).map(({ command }) => command?.title ?? "");
  ok(
    titles.some((title) => /loss 5\.\d+|loss 6\.\d+/.test(title)),
    titles.join(" | "),
  );
});

test("a hover has the layers' table and a picture", async () => {
  const document = await open("pre_ln.py");
  const hovers = await commands.executeCommand<Hover[]>(
    "vscode.executeHoverProvider",
    document.uri,
    positionOf(document, streamLine).translate(0, 6),
  );
  const text = hovers
    .flatMap(({ contents }) => contents as MarkdownString[])
    .map(({ value }) => value)
    .join("\n");
  match(text, /blocks\\\.0/);
  match(text, /blocks\\\.1/);
  match(text, /<img|!\[/);
});

test("inlay hints say the same for those who cannot see decorations", async () => {
  await withHints(async () => {
    const document = await open("pre_ln.py");
    const hint = await eventually("a hint", () => hintOn(document, streamLine));
    match(hint, /^→ 1\.\d….*← .*×2$/);
  });
});

test("an edited line loses its numbers, and undo brings them back without a run", async () => {
  await withHints(async () => {
    const { report } = await api();
    const document = await open("pre_ln.py");
    const before = await eventually("a hint", () => hintOn(document, streamLine));
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, positionOf(document, streamLine), "y = 1; ");
    await workspace.applyEdit(edit);
    await eventually("no hint", async () => (await hintOn(document, streamLine)) === null);
    await commands.executeCommand("undo");
    await eventually("the hint", async () => (await hintOn(document, streamLine)) === before);
    equal((await api()).report, report);
  });
});

async function withHints(work: () => Promise<void>): Promise<void> {
  const settings = workspace.getConfiguration("normscope");
  await settings.update("inline.renderer", "inlayHints", ConfigurationTarget.Global);
  try {
    await work();
  } finally {
    await settings.update("inline.renderer", undefined, ConfigurationTarget.Global);
  }
}

/** The hint at the end of the line that has a text; null: none. */
async function hintOn(document: TextDocument, text: string): Promise<string | null> {
  const hints = await commands.executeCommand<InlayHint[]>(
    "vscode.executeInlayHintProvider",
    document.uri,
    new Range(0, 0, document.lineCount, 0),
  );
  const { line } = positionOf(document, text);
  const label = hints.find(({ position }) => position.line === line)?.label ?? null;
  if (label === null || typeof label === "string") return label;
  return label
    .map(({ value }) => value)
    .join("")
    .trim();
}

test("a model that fails stands in Problems with its line, and goes when it is mended", async () => {
  const uri = fileUri("failing.py");
  const text = readFileSync(fileUri("pre_ln.py").fsPath, "utf8");
  await workspace.fs.writeFile(
    uri,
    Buffer.from(text.replace("return x\n", "return x @ x\n"), "utf8"),
  );
  const it = await api();
  let failure: unknown = null;
  await it.run(uri.toString(), "PreLNTransformer").catch((error) => {
    failure = error;
  });
  ok(failure, "a run with shapes that do not fit failed");
  const [problem] = await eventually("a problem", () => {
    const all = languages.getDiagnostics(uri);
    return all.length > 0 && all;
  });
  ok(problem);
  equal(problem.source, "normscope");
  equal(problem.range.start.line, text.slice(0, text.indexOf("return x\n")).split("\n").length - 1);
  await workspace.fs.writeFile(uri, Buffer.from(text, "utf8"));
  await it.run(uri.toString(), "PreLNTransformer", { set: { n_layers: "1" } });
  await eventually("no problem", () => languages.getDiagnostics(uri).length === 0);
});

test("a task runs the command line of the extension", async () => {
  const [doctor] = await tasks.fetchTasks({ type: "normscope" });
  ok(doctor);
  equal(await exitCodeOf(doctor), 0);
});

test("a run that will not fit is refused before it is started, with what would fit", async () => {
  const it = await api();
  const inputs = [{ name: "idx", dtype: "int64", shape: [200_000, 32], below: 256 }];
  const set = { n_layers: "2", d_model: "1024" };
  const refused = it.run(fileUri("pre_ln.py").toString(), "PreLNTransformer", { set, inputs });
  await rejects(refused, /The run needs some .* free/);
});

test("setting CUDA up is refused without a driver, and says what is missing", async () => {
  // Where there is a driver, it asks.
  if (existsSync("/proc/driver/nvidia/version")) return;
  const answer = await commands.executeCommand<SetUp>("normscope.setUpCuda");
  equal(answer.isDone, false);
  match(answer.reason ?? "", /there is no NVIDIA driver|for Linux x64 only/);
});

async function exitCodeOf(task: Task): Promise<number | undefined> {
  const ended = new Promise<number | undefined>((done) => {
    const subscription = tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
      if (execution.task.name !== task.name) return;
      subscription.dispose();
      done(exitCode);
    });
  });
  await tasks.executeTask(task);
  return ended;
}

test("language models read the report without running anything", async () => {
  if (!lm.tools.some(({ name }) => name === "normscope_read_report")) {
    note("this editor offers no tools to language models");
    return;
  }
  await runSmall();
  const { content } = await lm.invokeTool("normscope_read_report", {
    input: {},
    toolInvocationToken: undefined,
  });
  match(JSON.stringify(content), /Pre-LN/);
});

test("a model is exported to the file that was named", async () => {
  const target = join(folder(), "exported.onnx");
  await commands.executeCommand("normscope.exportOnnx", {
    uri: fileUri("pre_ln.py").toString(),
    entry: "PreLNTransformer",
    output: Uri.file(target).toString(),
    set: { n_layers: "1" },
  });
  const { size } = await workspace.fs.stat(Uri.file(target));
  ok(size > 100_000);
});

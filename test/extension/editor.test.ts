import { afterEach, beforeEach, expect, test } from "vitest";
import { NormscopeError, runDoesNotFit } from "../../src/errors.ts";
import { installCommand } from "../../src/protocol/engine.ts";
import type { RunReport } from "../../src/protocol/report.ts";
import { preReport, preSource } from "../fixtures/reports.ts";
import { type FakeEditor, modelPath, startEditor } from "./editor.ts";
import { type CodeLens, fake, type Hover, Position } from "./fake/vscode.ts";

/** The fixture's blocks, and a model that they could be of. */
const model =
  "class PreLNTransformer(nn.Module):\n    def __init__(self, n_layers: int = 4): ...\n";
const source = `${preSource()}\n\n${model}`;
const modelLine = source.slice(0, source.indexOf(model)).split("\n").length;

let it: FakeEditor;
beforeEach(() => {
  it = startEditor(source);
});
afterEach(() => it.dispose());

const token = { isCancellationRequested: false };

async function lenses(): Promise<string[]> {
  const provider = fake.providers.get("codeLens") as {
    provideCodeLenses(document: unknown, token: unknown): Promise<CodeLens[]>;
    resolveCodeLens(lens: CodeLens): { command: { title: string } };
  };
  const all = await provider.provideCodeLenses(it.document, token);
  return all.map((lens) => {
    const { title } = provider.resolveCodeLens(lens).command;
    return `${lens.range.start.line + 1} ${title}`;
  });
}

/** `line text` of each number that is drawn, with the colour of its style. */
function drawn(): string[] {
  return [...it.editor.drawn].flatMap(([type, options]) => {
    const { after } = type as { after?: { color: { id: string } } };
    if (after === undefined) return [];
    return (options as DrawnValue[]).map(
      ({ range, renderOptions }) =>
        `${range.start.line + 1} ${after.color.id.split(".")[1]} ${renderOptions.after.contentText}`,
    );
  });
}
interface DrawnValue {
  readonly range: { readonly start: Position };
  readonly renderOptions: { readonly after: { readonly contentText: string } };
}

const edited = (line: number, text: string): string =>
  source
    .split("\n")
    .map((own, i) => (i === line - 1 ? text : own))
    .join("\n");

test("lenses stand before anything has run, and tell numbers after", async () => {
  const before = await lenses();
  expect(before).toContain(`${modelLine} $(play) Run`);
  expect(before).toContain(`${modelLine} n_layers=4`);
  await it.run();
  const after = await lenses();
  expect(after).toHaveLength(before.length);
  expect(after.some((lens) => /^15 → .*×4$/.test(lens))).toBe(true);
});

test("each measured line carries its numbers", async () => {
  expect(drawn()).toEqual([]);
  await it.run();
  expect(drawn().length).toBeGreaterThan(1);
  expect(drawn()[0]).toMatch(/^\d+ valueForeground → \S+/);
});

test("an edited line loses its numbers at once, the others are told as stale, undo heals", async () => {
  await it.run();
  const before = drawn();
  fake.edit(it.document, edited(24, "        x = x + self.attn(x)"));
  expect(drawn()).toHaveLength(before.length - 1);
  expect(drawn().every((text) => /^\d+ staleForeground edited/.test(text))).toBe(true);
  expect(drawn().some((text) => text.startsWith("24 "))).toBe(false);
  fake.edit(it.document, source);
  expect(drawn()).toEqual(before);
});

test("numbers are on every line, on the cursor's, or on none", async () => {
  await it.run();
  const all = drawn().length;
  fake.set("inline.mode", "currentLine");
  it.editor.selections = [{ active: new Position(23, 0) } as never];
  fake.set("inline.mode", "currentLine");
  expect(drawn().map((text) => text.split(" ")[0])).toEqual(["24"]);
  fake.set("inline.mode", "off");
  expect(drawn()).toEqual([]);
  fake.set("inline.mode", "all");
  expect(drawn()).toHaveLength(all);
  fake.set("enabled", false);
  expect(drawn()).toEqual([]);
  expect(await lenses()).toEqual([]);
});

test("a hover shows every layer, a picture and what the numbers mean, over the code that made them", async () => {
  await it.run();
  const provider = fake.providers.get("hover") as {
    provideHover(document: unknown, position: Position): Hover | null;
  };
  const text = provider.provideHover(it.document, new Position(23, 21))?.contents.value ?? "";
  expect(text).toMatch(/^\*\*→ /);
  expect(text).toContain("data:image/svg+xml;base64,");
  expect(text).toContain("| module | forward RMS |");
  for (const layer of ["0", "1", "2", "3"]) expect(text).toContain(`blocks\\.${layer}`);
  expect(text).toContain("register\\_hook");
  expect(text.length).toBeLessThan(100_000);
  expect(provider.provideHover(it.document, new Position(23, 0))).toBeNull();
  expect(provider.provideHover(it.document, new Position(0, 0))).toBeNull();
});

const finding = {
  code: "NS101",
  severity: "warning",
  message: "The stream grows",
  file: "pre.py",
  line: 24,
  module: "blocks.3",
  evidence: { ratio: 4.1 },
} as const;
const withFinding = (): RunReport => ({ ...preReport(), findings: [finding] });
const problems = () => (fake.diagnostics.get(modelPath) ?? []) as FakeDiagnostic[];
interface FakeDiagnostic {
  readonly message: string;
  readonly range: { readonly start: Position };
  readonly code: { readonly value: string; readonly target: { readonly path: string } };
}

test("a finding stands in Problems, and goes with the text that it is about", async () => {
  it.engine.answer = async () => withFinding();
  await it.run();
  expect(problems()).toMatchObject([{ message: "The stream grows (ratio 4.10)", severity: 1 }]);
  expect(problems()[0]?.code.target.path).toBe("normscope.explain");
  fake.set("inline.delay", 0);
  fake.edit(it.document, edited(1, "# edited"));
  await expect.poll(problems).toEqual([]);
  fake.set("findings.silenced", ["NS101"]);
  fake.edit(it.document, source);
  await expect.poll(problems).toEqual([]);
});

test("a failure in a file that is not open is listed until the next run", async () => {
  const listed = () => fake.diagnostics.get("/models/parts/block.py");
  it.engine.answer = async () => {
    throw new NormscopeError("trace/python", "no", { place: { file: "parts/block.py", line: 3 } });
  };
  await it.run();
  expect(listed()).toMatchObject([{ message: "no", range: { start: { line: 2 } } }]);
  it.engine.answer = async () => preReport();
  await it.run();
  expect(listed()).toBeUndefined();
});

test("a run that will not fit is refused, and run all the same where that is wanted", async () => {
  const sizes = { weightsBytes: 1e9, activationsBytes: 8e9, neededBytes: 9e9, freeBytes: 5e9 };
  it.engine.answer = async () => {
    it.engine.answer = async () => preReport();
    throw runDoesNotFit({ ...sizes, place: "this machine" }, "a batch of 4 in place of 8");
  };
  fake.answers.push("Run All the Same");
  await it.run();
  await expect.poll(() => it.engine.requests).toBe(2);
  expect(fake.messages.join()).toContain("a batch of 4 in place of 8");
  expect(it.engine.last?.force).toBe(true);
});

test("the hover of the status bar ends with the command that mends a device", async () => {
  const passedOver = [
    { provider: "cuda", reason: "the CUDA provider is not installed", remedy: installCommand },
  ];
  const device = { requested: "auto", provider: "cpu", passedOver };
  it.engine.answer = async () => ({ ...preReport(), device });
  await it.run();
  const { tooltip } = fake.statusItem as unknown as { tooltip: { value: string } };
  expect(tooltip.value).toContain("normscope doctor \\-\\-install cuda");
});

test("a finding can be silenced here, in the file, and everywhere", async () => {
  it.engine.answer = async () => withFinding();
  await it.run();
  const provider = fake.providers.get("codeActions") as {
    provideCodeActions(document: unknown, range: unknown, context: unknown): FakeAction[];
  };
  const actions = provider.provideCodeActions(it.document, null, { diagnostics: problems() });
  expect(actions.map(({ title }) => title)).toEqual([
    "Explain 'NS101'",
    "Silence 'NS101' on this line",
    "Silence 'NS101' in this file",
    "Silence 'NS101' in this workspace",
  ]);
  expect(actions[1]?.edit?.inserted).toMatchObject([
    { position: { line: 23 }, text: "  # normscope: ignore[NS101]" },
  ]);
  await fake.commands.get("normscope.silenceRule")?.("NS101");
  expect(fake.settings.get("findings.silenced")).toEqual(["NS101"]);
  expect(problems()).toEqual([]);
});
interface FakeAction {
  readonly title: string;
  readonly edit?: { readonly inserted: readonly unknown[]; readonly replaced: readonly unknown[] };
}

test("a finding whose line has a known form is mended by an edit of that line alone", async () => {
  it.dispose();
  const layer =
    "class Layer(nn.Module):\n    def forward(self, x):\n        return F.dropout(x, 0.1)\n";
  it = startEditor(`${source}\n\n${layer}`);
  const line = it.document.lineCount - 1;
  const dropped = { ...finding, code: "model/dropout-in-eval", line };
  it.engine.answer = async () => ({ ...preReport(), findings: [dropped] });
  await it.run();
  const provider = fake.providers.get("codeActions") as {
    provideCodeActions(document: unknown, range: unknown, context: unknown): FakeAction[];
  };
  const diagnostics = problems();
  const offer = () => provider.provideCodeActions(it.document, null, { diagnostics })[0];
  expect(offer()?.title).toBe("Drop in training only");
  expect(offer()?.edit?.replaced).toMatchObject([
    {
      range: { start: { line: line - 1 } },
      text: "        return F.dropout(x, 0.1, training=self.training)",
    },
  ]);
  fake.edit(it.document, `# another text\n${it.document.text}`);
  expect(offer()?.title).toBe("Explain 'model/dropout-in-eval'");
});

test("a failed run says what, where and what to do, and keeps the numbers of before", async () => {
  await it.run();
  const before = drawn();
  it.engine.answer = async () => {
    const place = { file: "pre.py", line: 24 };
    throw new NormscopeError("trace/python", "no such size", {
      place,
      hint: "Make it 64",
      pythonType: "RuntimeError",
    });
  };
  await it.run();
  expect(problems()).toMatchObject([
    { message: "RuntimeError: no such size\nMake it 64", severity: 0 },
  ]);
  expect(fake.messages).toEqual(["RuntimeError: no such size (pre.py:24). Make it 64"]);
  expect(fake.statusItem["text"]).toBe("$(error) run failed");
  expect(drawn()).toEqual(before);
});

test("cancelling is no failure", async () => {
  it.engine.answer = () => {
    throw new NormscopeError("engine/cancelled", "Cancelled");
  };
  await it.run();
  expect(fake.messages).toEqual([]);
  expect(it.ctx.runs.failure).toBeNull();
});

test("in an untrusted workspace lenses stand and nothing is run", async () => {
  fake.isTrusted = false;
  expect(await lenses()).not.toEqual([]);
  await it.run();
  expect(it.engine.requests).toBe(0);
  expect(fake.messages).toEqual([
    "A model of an untrusted workspace is not run. Trust the workspace first",
  ]);
});

test("a saved file is run again, if it was run and its text is another", async () => {
  await it.document.save();
  expect(it.engine.requests).toBe(0);
  await it.run();
  await it.document.save();
  expect(it.engine.requests).toBe(1);
  fake.edit(it.document, edited(1, "# another"));
  await it.document.save();
  await expect.poll(() => it.engine.requests).toBe(2);
  await expect.poll(() => drawn()[0]).toContain("valueForeground");
  fake.set("run.onSave", false);
  fake.edit(it.document, source);
  await it.document.save();
  expect(it.engine.requests).toBe(2);
});

test("what is run is what the editor shows, saved or not", async () => {
  await it.run();
  expect(it.engine.last?.source).toBeNull();
  const text = edited(1, "# not saved");
  fake.edit(it.document, text);
  await it.run();
  expect(it.engine.last).toMatchObject({ file: "pre.py", source: text });
  expect(it.document.isDirty).toBe(true);
  expect(drawn()[0]).toContain("valueForeground");
  await it.document.save();
  expect(it.engine.requests).toBe(2);
});

test("weights and tokens of a configuration are kept, and go with the request", async () => {
  const target = { uri: it.document.uri.toString(), entry: "PreLNTransformer" };
  const files = { weights: "trained.safetensors", tokens: "/data/text.txt" };
  await fake.commands.get("normscope.run")?.({ ...target, ...files });
  const sent = {
    weights: { file: "/models/trained.safetensors", strict: true, prefix: "" },
    tokens: { file: "/data/text.txt", tokenizer: null },
  };
  expect(it.engine.last).toMatchObject(sent);
  await it.run();
  expect(it.engine.last).toMatchObject(sent);
});

test("the status bar tells what is done, and then on what it ran", async () => {
  expect(fake.statusItem["isShown"]).toBe(false);
  let finish = (_report: RunReport) => {};
  it.engine.answer = () =>
    new Promise((resolve) => {
      finish = resolve;
    });
  const running = it.run();
  await expect.poll(() => fake.statusItem["text"]).toBe("$(loading~spin) starting Python");
  expect(await lenses()).toContain(`${modelLine} $(loading~spin) Running… (click to cancel)`);
  await expect.poll(() => it.engine.requests).toBe(1);
  finish(preReport());
  await running;
  expect(fake.statusItem["text"]).toBe("$(pulse) cpu");
  expect(fake.contexts.get("normscope.isRunning")).toBe(false);
});

test("a pinned layer shows its own numbers", async () => {
  await it.run();
  await fake.commands.get("normscope.pinLayer")?.("blocks.2");
  expect(drawn().every((text) => !text.includes("×"))).toBe(true);
  expect(fake.contexts.get("normscope.isPinned")).toBe(true);
  await fake.commands.get("normscope.unpinLayer")?.();
  expect(drawn().some((text) => text.includes("×4"))).toBe(true);
});

test("runs survive a restart, can be renamed and deleted", async () => {
  await it.run();
  const { runs } = it.ctx;
  const [head] = runs.heads();
  await fake.commands.get("normscope.renameRun")?.(head, "baseline");
  expect(runs.heads().map(({ name }) => name)).toEqual(["baseline"]);
  await fake.commands.get("normscope.deleteRun")?.(runs.heads()[0]);
  expect(runs.heads()).toEqual([]);
});

/** How long people wait in the editor, measured within its extension host; the entry that it calls. */
import {
  ConfigurationTarget,
  commands,
  extensions,
  type InlayHint,
  Range,
  type TextDocument,
  window,
  workspace,
} from "vscode";
import type { NormscopeApi } from "../../src/extension/api.ts";
import { eventually } from "../../test/e2e/harness/waiting.ts";
import { fileUri, lensesOf, open, positionOf } from "../../test/electron/editor.ts";
import { print } from "../../test/electron/print.ts";
import { median } from "../measure.ts";

const rounds = 5;
const model = "pre_ln.py";
/** A line that has numbers, and that is edited. */
const streamLine = "x = x + self.attn(self.norm1(x))";
/** As long as a person types; a spare tracer is loaded meanwhile. */
const typingMs = 4000;

export async function run(): Promise<void> {
  const extension = extensions.getExtension<NormscopeApi>("normscope.normscope");
  if (extension === undefined) throw new Error("the extension is not installed");
  const keys = createKeyWatch();
  const began = performance.now();
  const api = await extension.activate();
  tell("activation", performance.now() - began, "50 ms");
  const document = await workspace.openTextDocument(fileUri(model));
  tell("an open file, to lenses over its classes", await took(() => lenses(document)), "300 ms");
  await open(model);
  const settings = workspace.getConfiguration("normscope");
  await settings.update("inline.renderer", "inlayHints", ConfigurationTarget.Global);
  tell("the window's first run, the engine's start with it", await took(() => runOn(api)), "none");
  const fromReport = await medianOf(() => reportToNumbers(api, document));
  tell("a report, to numbers on the lines", fromReport, "100 ms");
  const edits: EditTimes[] = [];
  for (let round = 0; round < rounds; round++)
    edits.push(await editToNumbers(api, document, round));
  const part = (of: keyof EditTimes) => median(edits.map((one) => one[of]));
  tell("an edit that is saved, to new numbers on the lines", part("whole"), "1000 ms");
  tell("  until the editor says that it is saved", part("saved"), "none");
  tell("  until the report is there", part("reported"), "none");
  tell("  the run itself, in the engine", part("run"), "none");
  tell("a key in a file of 5,000 lines, our listeners", await keyInLongFile(keys, api), "5 ms");
  print("measured");
}

/** How long the listeners take that are registered between the two calls. */
function createKeyWatch() {
  const times: number[] = [];
  let began = 0;
  workspace.onDidChangeTextDocument(() => {
    began = performance.now();
  });
  return {
    times,
    end: () => workspace.onDidChangeTextDocument(() => times.push(performance.now() - began)),
  };
}

/** The model's text with functions below it, measured and then typed into. */
async function keyInLongFile(
  { times, end }: ReturnType<typeof createKeyWatch>,
  api: NormscopeApi,
): Promise<number> {
  const uri = fileUri("long.py");
  const text = (await workspace.openTextDocument(fileUri(model))).getText();
  const rest = Array.from({ length: 4900 }, (_, at) => `def f${at}(x): return x + ${at}`);
  await workspace.fs.writeFile(uri, Buffer.from(`${text}\n\n${rest.join("\n")}\n`, "utf8"));
  const document = await workspace.openTextDocument(uri);
  const editor = await window.showTextDocument(document);
  await api.run(uri.toString(), "PreLNTransformer", { set: { n_layers: "1" } });
  end();
  for (let key = 0; key < 20; key++)
    await editor.edit((edit) => edit.insert(document.lineAt(2500).range.end, "#"));
  return median(times);
}

const tell = (name: string, ms: number, target: string): void =>
  print(`${name.padEnd(52)} ${ms.toFixed(0).padStart(6)} ms  (target: ${target})`);

async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function medianOf(measure: (round: number) => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) times.push(await measure(round));
  return median(times);
}

const lenses = (document: TextDocument) =>
  eventually("lenses", async () => (await lensesOf(document)).length > 0);

const runOn = (api: NormscopeApi) => api.run(fileUri(model).toString(), "PreLNTransformer");

const nextReport = (api: NormscopeApi): Promise<void> =>
  new Promise((done) => {
    const subscription = api.onDidChangeReport(() => {
      subscription.dispose();
      done();
    });
  });

async function reportToNumbers(api: NormscopeApi, document: TextDocument): Promise<number> {
  const shown = nextReport(api).then(() => took(() => numbersOn(document)));
  await runOn(api);
  return shown;
}

/** Milliseconds since the key that saves; `run`: what the report says of its own making. */
interface EditTimes {
  readonly saved: number;
  readonly reported: number;
  readonly whole: number;
  readonly run: number;
}

async function editToNumbers(
  api: NormscopeApi,
  document: TextDocument,
  round: number,
): Promise<EditTimes> {
  await new Promise((done) => setTimeout(done, typingMs));
  const editor = await window.showTextDocument(document);
  const at = positionOf(document, streamLine);
  await editor.edit((edit) => edit.insert(at, `y${round} = 0; `));
  const began = performance.now();
  const since = () => performance.now() - began;
  const heard = nextReport(api).then(since);
  await document.save();
  const saved = since();
  const reported = await heard;
  await numbersOn(document);
  return { saved, reported, whole: since(), run: api.report?.timing.totalMs ?? Number.NaN };
}

const numbersOn = (document: TextDocument) =>
  eventually("numbers", async () => {
    const whole = new Range(0, 0, document.lineCount, 0);
    const hints = await commands.executeCommand<InlayHint[]>(
      "vscode.executeInlayHintProvider",
      document.uri,
      whole,
    );
    const { line } = positionOf(document, streamLine);
    return hints.some(({ position }) => position.line === line);
  });

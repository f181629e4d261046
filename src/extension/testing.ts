/**
 * Models in the Testing view: running one as a test runs the model, and its findings from a warning
 * on are failures. Runs from elsewhere list their findings there and leave the results alone, as
 * results open a panel and mark lines that have their numbers and marks already.
 */
import {
  type CancellationToken,
  type Disposable,
  Location,
  l10n,
  Range,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  type TestRunRequest,
  type TextDocument,
  tests,
  Uri,
  window,
  workspace,
} from "vscode";
import { runnableClass } from "../present/pythonOutline.ts";
import { lastConfiguration } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import { isPythonFile, outlineOf } from "./outlines.ts";
import { subjectOf } from "./runRequest.ts";
import { isCancelled } from "./runs.ts";
import { readSettings } from "./settings.ts";
import type { StoredRun } from "./storedRun.ts";
import { type FindingItem, findingItems } from "./testItems.ts";

interface Model {
  readonly uri: string;
  readonly entry: string | null;
}

export function registerTesting(ctx: Ctx): Disposable[] {
  const { runs } = ctx;
  const controller = tests.createTestController("normscope", "Normscope");
  const models = new Map<TestItem, Model>();

  function itemOf({ uri, entry }: Model): TestItem {
    const id = `${uri} ${entry ?? ""}`;
    const known = controller.items.get(id);
    if (known !== undefined) return known;
    const file = Uri.parse(uri);
    const item = controller.createTestItem(id, subjectOf(file.fsPath, entry), file);
    models.set(item, { uri, entry });
    controller.items.add(item);
    return item;
  }

  /** Lists what a run found; gives each finding with its item. */
  function list(stored: StoredRun): readonly (readonly [TestItem, FindingItem])[] {
    const { uri, entry } = stored.head.configuration;
    const item = itemOf({ uri, entry });
    const { silenced } = readSettings(Uri.parse(uri));
    const found = findingItems(stored, silenced).map((finding) => {
      const { id, code, module, place } = finding;
      const label = module === null ? code : `${code}, ${module}`;
      const file = place === null ? undefined : Uri.file(place.path);
      const child = controller.createTestItem(id, label, file);
      child.description = finding.message;
      if (place !== null) child.range = rangeOf(place.line);
      return [child, finding] as const;
    });
    item.children.replace(found.map(([child]) => child));
    return found;
  }

  async function test(item: TestItem, model: Model, run: TestRun): Promise<void> {
    run.started(item);
    const began = Date.now();
    try {
      const stored = await runs.run(lastConfiguration(ctx, model.uri, model.entry));
      const found = list(stored);
      const ms = Date.now() - began;
      for (const [child, finding] of found) {
        if (finding.isFailure) run.failed(child, messageOf(finding), ms);
        else run.passed(child, ms);
      }
      // A model with findings has the gravest of theirs.
      if (found.length === 0) run.passed(item, ms);
    } catch (error) {
      if (isCancelled(error)) run.skipped(item);
      else run.errored(item, new TestMessage(runs.failure?.message ?? String(error)));
    }
  }

  async function runTests(request: TestRunRequest, token: CancellationToken): Promise<void> {
    const asked = request.include ?? [...models.keys()];
    const excluded = new Set(request.exclude ?? []);
    const wanted = new Set(asked.map((item) => item.parent ?? item));
    const run = controller.createTestRun(request);
    const cancelling = token.onCancellationRequested(() => runs.cancel());
    try {
      for (const item of wanted) {
        const model = models.get(item);
        if (model === undefined || excluded.has(item) || token.isCancellationRequested) continue;
        await test(item, model, run);
      }
    } finally {
      cancelling.dispose();
      run.end();
    }
  }

  /** The model of a file that is open: it can be run before it has been. */
  function discover(document: TextDocument | undefined): void {
    if (document === undefined || !isPythonFile(document)) return;
    const outline = outlineOf(document);
    const model = runnableClass(outline);
    const uri = document.uri.toString();
    if (outline.scriptLine !== null) itemOf({ uri, entry: null });
    else if (model?.isModule === true) itemOf({ uri, entry: model.name });
  }

  controller.createRunProfile(l10n.t("Run Model"), TestRunProfileKind.Run, runTests, true);
  discover(window.activeTextEditor?.document);
  return [
    controller,
    runs.onDidRun((stored) => void list(stored)),
    window.onDidChangeActiveTextEditor((editor) => discover(editor?.document)),
    workspace.onDidSaveTextDocument(discover),
  ];
}

function messageOf({ message, place }: FindingItem): TestMessage {
  const told = new TestMessage(message);
  if (place !== null) told.location = new Location(Uri.file(place.path), rangeOf(place.line));
  return told;
}

const rangeOf = (line: number): Range => new Range(line - 1, 0, line - 1, 0);

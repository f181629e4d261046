/** One page in a webview, its questions answered: the dashboard's and the panel's are the same. */
import {
  ColorThemeKind,
  type Disposable,
  env,
  l10n,
  Uri,
  type Webview,
  window,
  workspace,
} from "vscode";
import { sideNames } from "../present/reportSide.ts";
import { noTrainings, type TrainingsShown } from "../protocol/trainingPage.ts";
import {
  type Failure,
  type FormPage,
  type FromWebview,
  type ModelForm,
  type PanelPage,
  type RunConfiguration,
  readFromWebview,
  type ShownRun,
  type ThemeKind,
  type ToWebview,
  type ValueOfRun,
  type WebviewKind,
  type WebviewState,
} from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import { detailOfValue } from "./details.ts";
import { modelForm } from "./modelForm.ts";
import type { PageActions } from "./pageActions.ts";
import { pickFile } from "./pickFile.ts";
import { isCancelled } from "./runs.ts";
import { runSummary, type StoredRun } from "./storedRun.ts";
import { trainingSeries, trainingSummary } from "./trainingRecord.ts";
import { newNonce, webviewHtml } from "./webviewHtml.ts";

export interface WebviewPage {
  /** Shows these runs; the current one where none is named. */
  show(page: PanelPage | null, runIds: readonly string[], value: ValueOfRun | null): Promise<void>;
  configure(configuration: RunConfiguration, page: FormPage): Promise<void>;
  post(message: ToWebview): void;
  dispose(): void;
}

export interface PageOptions {
  readonly kind: WebviewKind;
  readonly title: string;
  /** Shows whatever run is the current one. */
  readonly followsCurrent: boolean;
  readonly actions: PageActions;
  readonly onShown?: (shown: readonly StoredRun[]) => void;
}

export function connectPage(ctx: Ctx, webview: Webview, options: PageOptions): WebviewPage {
  const { runs, trainings, sweeps, claims, numbers, log } = ctx;
  const { kind, followsCurrent, actions } = options;
  let page: PanelPage | null = null;
  let runIds: readonly string[] = [];
  let value: ValueOfRun | null = null;
  let form: ModelForm | null = null;
  /** Of the runs of training that are drawn; null: the newest. */
  let trainingIds: readonly string[] | null = null;
  /** Messages to a page that is not listening yet would be lost. */
  let isReady = false;

  const post = (message: ToWebview): void => {
    if (isReady) void webview.postMessage(message);
  };
  const summaries = () => runs.heads().map((head) => runSummary(head, isStale(ctx, head.id)));

  async function shown(): Promise<ShownRun[]> {
    const wanted = followsCurrent || runIds.length === 0 ? [runs.current?.head.id ?? ""] : runIds;
    const loaded = await Promise.all(wanted.map((id) => runs.load(id)));
    const stored = loaded.filter((it) => it !== null);
    options.onShown?.(stored);
    const labels = sideNames(stored.map(({ report }) => report));
    return stored.map(({ head, report }, i) => ({
      summary: runSummary(head, isStale(ctx, head.id)),
      label: labels[i] ?? head.name,
      report,
      configuration: head.configuration,
    }));
  }

  function shownTrainings(): TrainingsShown {
    const all = trainings.all();
    const ids = trainingIds ?? all.slice(0, 1).map(({ id }) => id);
    const shown = all.filter(({ id }) => ids.includes(id));
    return { list: all.map(trainingSummary), shown: shown.map(trainingSeries) };
  }
  const sendTrainings = () => post({ type: "trainings", ...shownTrainings() });

  async function sendInit(kept: WebviewState | null): Promise<void> {
    if (page === null && kept !== null) ({ page, runIds, value } = kept);
    await runs.loadHeads();
    if (kind === "panel") await Promise.all([trainings, sweeps, claims].map((it) => it.load()));
    const message: ToWebview = {
      type: "init",
      theme: themeKind(),
      language: env.language,
      strings: bundleStrings(),
      isTrusted: workspace.isTrusted,
      page,
      runs: summaries(),
      shown: await shown(),
      value,
      form,
      progress: runs.progress,
      failure: failureOf(runs.failure),
      sweep: sweeps.current,
      claims: claims.shown,
      trainings: kind === "panel" ? shownTrainings() : noTrainings,
    };
    isReady = true;
    post(message);
  }

  const sendShown = async () => post({ type: "show", page, shown: await shown(), value });

  async function sendDetail(asked: ValueOfRun): Promise<void> {
    const detail = await detailOfValue(ctx, asked).catch((error: unknown) => {
      log.error(String(error));
      return null;
    });
    post({ type: "detail", value: asked, detail });
  }

  async function sendMemory(configuration: RunConfiguration): Promise<void> {
    try {
      post({ type: "memory", memory: { estimate: await runs.memory(configuration) } });
    } catch (error) {
      if (isCancelled(error)) return;
      const failure = { message: error instanceof Error ? error.message : String(error) };
      post({ type: "memory", memory: { failure } });
    }
  }

  async function answer(message: FromWebview): Promise<void> {
    switch (message.type) {
      case "ready":
        return sendInit(message.state);
      case "showRuns":
        ({ runIds } = message);
        return sendShown();
      case "run": {
        const stored = await actions.run(message.configuration);
        if (stored === null) return;
        // What was just run is what the page is to show.
        runIds = [stored.head.id];
        if (page === "configure") page = "compare";
        return sendShown();
      }
      case "memory":
        return sendMemory(message.configuration);
      case "train":
        trainingIds = null;
        await actions.train(message.configuration, message.choice);
        return;
      case "sweep":
        await actions.sweep(message.configuration, message.sweep, message.choice);
        return;
      case "continueSweep":
        await actions.continueSweep();
        return;
      case "continueTraining":
        trainingIds = [message.id];
        await actions.continueTraining(message.id);
        return;
      case "showTrainings":
        trainingIds = message.ids;
        return sendTrainings();
      case "detail":
        return sendDetail(message.value);
      case "pickFile": {
        const path = await pickFile(message.field);
        if (path !== null) post({ type: "picked", field: message.field, path });
        return;
      }
      case "saveState":
        await ctx.extension.workspaceState.update(`page ${kind}`, message.state);
        return;
      case "mistake":
        log.error(`${kind}: ${message.message}`);
        return;
      default:
        return actions.other(message);
    }
  }

  const { extensionUri } = ctx.extension;
  const resources = Uri.joinPath(extensionUri, "dist", "webview");
  const fileOf = (name: string) => webview.asWebviewUri(Uri.joinPath(resources, name)).toString();
  webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [resources] };
  webview.html = webviewHtml({
    kind,
    title: options.title,
    language: env.language,
    cspSource: webview.cspSource,
    script: fileOf(`${kind}.js`),
    style: fileOf(`${kind}.css`),
    nonce: newNonce(),
  });

  const parts: Disposable[] = [
    webview.onDidReceiveMessage((data: unknown) => {
      const message = readFromWebview(data);
      if (message === null) {
        log.warn(`${kind}: a message that no page of ours sends: ${JSON.stringify(data)}`);
        return;
      }
      answer(message).catch((error: unknown) => log.error(String(error)));
    }),
    window.onDidChangeActiveColorTheme(() => post({ type: "theme", theme: themeKind() })),
    runs.onDidProgress(() => {
      post({ type: "progress", progress: runs.progress });
      const failure = failureOf(runs.failure);
      if (failure !== null) post({ type: "failed", failure });
    }),
    workspace.onDidGrantWorkspaceTrust(() => {
      if (isReady) void sendInit(null);
    }),
    sweeps.onDidChange(() => post({ type: "sweep", sweep: sweeps.current })),
    claims.onDidChange(() => {
      if (kind === "panel") post({ type: "claims", claims: claims.shown });
    }),
    trainings.onDidChange(() => {
      if (kind === "panel") sendTrainings();
    }),
    numbers.onDidChange(() => {
      post({ type: "runs", runs: summaries() });
      if (followsCurrent) void sendShown();
    }),
    window.onDidChangeTextEditorSelection(({ textEditor }) => {
      const at = numbers.of(textEditor.document);
      const line = textEditor.selection.active.line + 1;
      const note = at?.notes.find((it) => it.line === line);
      if (at == null || note === undefined) return;
      post({ type: "cursor", file: at.run.file, line: note.note.line });
    }),
  ];
  return {
    async show(nextPage, ids, nextValue) {
      page = nextPage;
      runIds = ids;
      value = nextValue;
      await sendShown();
    },
    async configure(configuration, nextPage) {
      page = nextPage;
      form = await modelForm(ctx, configuration);
      post({ type: "configure", page: nextPage, form });
    },
    post,
    dispose() {
      for (const part of parts) part.dispose();
    },
  };
}

/** What a page is told of a failure. */
function failureOf(failure: Failure | null): Failure | null {
  if (failure === null) return null;
  const { code, message, hint, place } = failure;
  return { code, message, hint, place };
}

/** Whether an open document has another text than the run's. */
const isStale = ({ runs }: Ctx, id: string): boolean => {
  const stored = runs.inMemory(id);
  if (stored === null) return false;
  return workspace.textDocuments.some((document) => {
    const text = stored.texts[document.uri.fsPath];
    return text !== undefined && text !== document.getText();
  });
};

function themeKind(): ThemeKind {
  switch (window.activeColorTheme.kind) {
    case ColorThemeKind.Light:
      return "light";
    case ColorThemeKind.Dark:
      return "dark";
    case ColorThemeKind.HighContrast:
      return "highContrast";
    case ColorThemeKind.HighContrastLight:
      return "highContrastLight";
  }
}

/** The words of this language: none where it is English. */
function bundleStrings(): Record<string, string> {
  const words: readonly [string, unknown][] = Object.entries(l10n.bundle ?? {});
  return Object.fromEntries(
    words.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}

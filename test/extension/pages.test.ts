import { afterEach, beforeEach, expect, test } from "vitest";
import type { Webview } from "vscode";
import { connectPage } from "../../src/extension/webviewPage.ts";
import type { FromWebview, ToWebview, WebviewKind } from "../../src/protocol/webview.ts";
import { type FakeEditor, startEditor } from "./editor.ts";
import { EventEmitter, Uri } from "./fake/vscode.ts";

const model =
  "class PreLNTransformer(nn.Module):\n    def __init__(self, n_layers: int = 4): ...\n";

let it: FakeEditor;
beforeEach(() => {
  it = startEditor(model);
});
afterEach(() => it.dispose());

/** A page that says what it is told to, and keeps what it hears. */
function openPage(kind: WebviewKind) {
  const said = new EventEmitter<unknown>();
  const heard: ToWebview[] = [];
  const others: FromWebview[] = [];
  const webview = {
    html: "",
    options: {},
    cspSource: "self",
    asWebviewUri: (uri: Uri) => uri,
    onDidReceiveMessage: said.event,
    postMessage: async (message: ToWebview) => heard.push(message) > 0,
  };
  const page = connectPage(it.ctx, webview as unknown as Webview, {
    kind,
    title: "Normscope",
    followsCurrent: kind === "dashboard",
    actions: {
      run: (configuration) => it.ctx.runs.run(configuration),
      train: (configuration, choice) => it.ctx.trainings.start(configuration, choice),
      continueTraining: (id) => it.ctx.trainings.proceed(id),
      sweep: (configuration, choice, training) =>
        it.ctx.sweeps.start(configuration, choice, training),
      continueSweep: () => it.ctx.sweeps.proceed(),
      other: async (message) => void others.push(message),
    },
  });
  const types = () => heard.map(({ type }) => type);
  const last = <Type extends ToWebview["type"]>(type: Type) =>
    heard.findLast((message) => message.type === type) as
      | Extract<ToWebview, { type: Type }>
      | undefined;
  return { page, webview, types, last, others, say: (data: unknown) => said.fire(data) };
}

const configuration = {
  uri: Uri.file("/models/pre.py").toString(),
  entry: "PreLNTransformer",
  set: {},
  inputs: [],
  loss: null,
  seed: 0,
  mode: null,
  device: "auto" as const,
};

test("a page hears nothing before it listens, then all that it needs", async () => {
  const { say, types, last, webview } = openPage("dashboard");
  await it.run();
  expect(types()).toEqual([]);
  say({ type: "ready", state: null });
  await expect.poll(types).toEqual(["init"]);
  expect(last("init")).toMatchObject({
    theme: "dark",
    isTrusted: true,
    runs: [{ entry: "PreLNTransformer", isStale: false }],
    shown: [{ label: "Pre-LN" }],
  });
  expect(webview.html).toContain('data-kind="dashboard"');
});

test("the dashboard follows the run that is shown, and knows when it is stale", async () => {
  const { say, types, last } = openPage("dashboard");
  say({ type: "ready", state: null });
  await expect.poll(types).toContain("init");
  await it.run();
  await expect.poll(() => last("show")?.shown.length).toBe(1);
  expect(types()).toContain("progress");
});

test("what was run from the form is shown", async () => {
  const { say, page, last } = openPage("panel");
  await page.configure(configuration, "configure");
  say({ type: "ready", state: null });
  await expect.poll(() => last("init")?.form?.fields.map(({ name }) => name)).toEqual(["n_layers"]);
  say({ type: "run", configuration });
  await expect.poll(() => last("show")?.page).toBe("compare");
});

test("a page that comes back asks for what it showed", async () => {
  await it.run();
  const [head] = it.ctx.runs.heads();
  const state = {
    version: 1,
    page: "attention",
    runIds: [head?.id ?? ""],
    value: null,
    view: {},
  } as const;
  const { say, last } = openPage("panel");
  say({ type: "ready", state });
  await expect.poll(() => last("init")).toMatchObject({ page: "attention", shown: [{}] });
});

test("other wishes go on; what no page of ours sends does not", async () => {
  const { say, others } = openPage("panel");
  say({ type: "cancel" });
  say({ type: "cancel", more: 1 });
  say({ type: "shell", command: "rm" });
  await expect.poll(() => others).toEqual([{ type: "cancel" }]);
});

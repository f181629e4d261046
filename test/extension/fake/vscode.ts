/**
 * An editor without an editor: what the extension registers is kept, what it draws can be read, and
 * a test says what the user does. Only what the extension uses is here.
 */
import { EventEmitter, Position, Range, Selection, type Uri } from "./types.ts";

export * from "./types.ts";

export const CodeActionKind = {
  QuickFix: "quickfix",
  RefactorRewrite: "refactor.rewrite",
} as const;
export const ColorThemeKind = { Light: 1, Dark: 2, HighContrast: 3, HighContrastLight: 4 } as const;
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 } as const;
export const DecorationRangeBehavior = { ClosedClosed: 1 } as const;
export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2 } as const;
export const LanguageStatusSeverity = { Information: 0 } as const;
export const OverviewRulerLane = { Right: 4 } as const;
export const StatusBarAlignment = { Left: 1 } as const;
export const TaskScope = { Workspace: 2 } as const;
export const TextEditorRevealType = { InCenterIfOutsideViewport: 2 } as const;
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 } as const;
export const ViewColumn = { Beside: -2 } as const;
export const version = "1.96.0";
export class TabInputTextDiff {
  readonly original: Uri;
  readonly modified: Uri;
  constructor(original: Uri, modified: Uri) {
    this.original = original;
    this.modified = modified;
  }
}
export class Task {}
export class ProcessExecution {}
export class DiagnosticRelatedInformation {}
export class Location {
  readonly uri: Uri;
  readonly range: Range;
  constructor(uri: Uri, range: Range) {
    this.uri = uri;
    this.range = range;
  }
}

export interface FakeDocument {
  readonly uri: Uri;
  readonly languageId: string;
  version: number;
  text: string;
  isDirty: boolean;
}

const events = {
  changeText: new EventEmitter<unknown>(),
  saveText: new EventEmitter<unknown>(),
  closeText: new EventEmitter<unknown>(),
  configuration: new EventEmitter<{ affectsConfiguration(key: string): boolean }>(),
  activeEditor: new EventEmitter<unknown>(),
  visibleEditors: new EventEmitter<unknown>(),
  selection: new EventEmitter<unknown>(),
  theme: new EventEmitter<unknown>(),
  trust: new EventEmitter<unknown>(),
};

/** What a test sees and sets. */
export const fake = {
  settings: new Map<string, unknown>(),
  contexts: new Map<string, unknown>(),
  commands: new Map<string, (...args: readonly unknown[]) => unknown>(),
  /** By kind: "codeLens", "hover", … */
  providers: new Map<string, unknown>(),
  trees: new Map<string, { treeDataProvider: unknown } & Record<string, unknown>>(),
  diagnostics: new Map<string, readonly unknown[]>(),
  messages: [] as string[],
  /** What the next question is answered with. */
  answers: [] as unknown[],
  statusItem: {} as Record<string, unknown>,
  languageStatus: {} as Record<string, unknown>,
  /** Commands of the editor itself that were called. */
  executed: [] as (readonly [name: string, ...args: unknown[]])[],
  /** Text by path that was written through the editor. */
  written: new Map<string, string>(),
  isTrusted: true,
  events,
  reset(): void {
    for (const map of [fake.settings, fake.contexts, fake.commands, fake.providers]) map.clear();
    fake.trees.clear();
    fake.diagnostics.clear();
    fake.messages = [];
    fake.executed = [];
    fake.written.clear();
    workspace.workspaceFolders = undefined;
    window.tabGroups.all = [];
    fake.answers = [];
    fake.isTrusted = true;
    workspace.textDocuments.length = 0;
    window.visibleTextEditors.length = 0;
    window.activeTextEditor = undefined;
    for (const event of Object.values(events)) event.dispose();
  },
  set(key: string, value: unknown): void {
    fake.settings.set(key, value);
    events.configuration.fire({ affectsConfiguration: () => true });
  },
  open(uri: Uri, text: string, languageId = "python") {
    const document = fakeDocument({ uri, languageId, version: 1, text, isDirty: false });
    const editor = fakeEditor(document);
    workspace.textDocuments.push(document);
    window.visibleTextEditors.push(editor);
    window.activeTextEditor = editor;
    events.activeEditor.fire(editor);
    events.visibleEditors.fire(window.visibleTextEditors);
    return { document, editor };
  },
  /** Another editor of the same document beside the first. */
  split(document: ReturnType<typeof fakeDocument>) {
    const editor = { ...fakeEditor(document), viewColumn: 2 };
    window.visibleTextEditors.push(editor);
    events.visibleEditors.fire(window.visibleTextEditors);
    return editor;
  },
  edit(document: ReturnType<typeof fakeDocument>, text: string): void {
    document.text = text;
    document.version++;
    document.isDirty = true;
    events.changeText.fire({ document });
  },
};

function fakeDocument(document: FakeDocument) {
  const lines = () => document.text.split("\n");
  return Object.assign(document, {
    getText: () => document.text,
    get lineCount() {
      return lines().length;
    },
    lineAt(line: number) {
      const text = lines()[line] ?? "";
      return {
        text,
        range: new Range(line, 0, line, text.length),
        firstNonWhitespaceCharacterIndex: text.length - text.trimStart().length,
      };
    },
    positionAt: () => new Position(0, 0),
    async save() {
      document.isDirty = false;
      events.saveText.fire(document);
      return true;
    },
  });
}

function fakeEditor(document: ReturnType<typeof fakeDocument>) {
  const drawn = new Map<object, readonly unknown[]>();
  return {
    document,
    viewColumn: 1,
    selection: new Selection(0, 0, 0, 0),
    selections: [new Selection(0, 0, 0, 0)],
    drawn,
    setDecorations: (type: object, options: readonly unknown[]) => drawn.set(type, options),
    revealRange: () => undefined,
  };
}

const disposable = { dispose: () => undefined };
const provider =
  (kind: string) =>
  (...args: unknown[]) => {
    fake.providers.set(kind, args[1]);
    return disposable;
  };

export const languages = {
  registerCodeLensProvider: provider("codeLens"),
  registerHoverProvider: provider("hover"),
  registerInlayHintsProvider: provider("inlayHints"),
  registerCodeActionsProvider: provider("codeActions"),
  createDiagnosticCollection: () => ({
    set: (uri: Uri, list: readonly unknown[]) => fake.diagnostics.set(uri.path, list),
    delete: (uri: Uri) => fake.diagnostics.delete(uri.path),
    dispose: () => undefined,
  }),
  createLanguageStatusItem: () => {
    fake.languageStatus = { ...disposable };
    return fake.languageStatus;
  },
};

export const workspace = {
  textDocuments: [] as ReturnType<typeof fakeDocument>[],
  workspaceFolders: undefined as { readonly uri: Uri }[] | undefined,
  get isTrusted() {
    return fake.isTrusted;
  },
  getWorkspaceFolder: (uri: Uri) =>
    workspace.workspaceFolders
      ?.filter((folder) => uri.path.startsWith(`${folder.uri.path}/`))
      .sort((a, b) => b.uri.path.length - a.uri.path.length)[0],
  getConfiguration: () => ({
    get: (key: string) => fake.settings.get(key),
    inspect: () => undefined,
    update: async (key: string, value: unknown) => fake.set(key, value),
  }),
  openTextDocument: async (uri: Uri) =>
    workspace.textDocuments.find((document) => document.uri.path === uri.path),
  onDidChangeTextDocument: events.changeText.event,
  onDidSaveTextDocument: events.saveText.event,
  onDidCloseTextDocument: events.closeText.event,
  onDidChangeConfiguration: events.configuration.event,
  onDidGrantWorkspaceTrust: events.trust.event,
  fs: {
    writeFile: async (uri: Uri, content: Uint8Array) => {
      fake.written.set(uri.path, new TextDecoder().decode(content));
    },
  },
  registerTextDocumentContentProvider: () => disposable,
  registerTaskProvider: () => disposable,
};

const ask = async (text?: unknown) => {
  if (typeof text === "string") fake.messages.push(text);
  return fake.answers.shift();
};

export const window = {
  visibleTextEditors: [] as ReturnType<typeof fakeEditor>[],
  activeTextEditor: undefined as ReturnType<typeof fakeEditor> | undefined,
  activeColorTheme: { kind: ColorThemeKind.Dark as number },
  tabGroups: { all: [] as { readonly viewColumn: number; readonly activeTab: unknown }[] },
  createTextEditorDecorationType: (options: object) => ({ ...options, dispose: () => undefined }),
  createStatusBarItem: () => {
    fake.statusItem = { ...disposable, isShown: false };
    return Object.assign(fake.statusItem, {
      show: () => Object.assign(fake.statusItem, { isShown: true }),
      hide: () => Object.assign(fake.statusItem, { isShown: false }),
    });
  },
  createTreeView: (id: string, options: { treeDataProvider: unknown }) => {
    const revealed: unknown[] = [];
    const reveal = async (item: unknown) => void revealed.push(item);
    const view = { ...options, ...disposable, visible: true, reveal, revealed };
    fake.trees.set(id, view);
    return view;
  },
  showErrorMessage: ask,
  showInformationMessage: ask,
  showWarningMessage: ask,
  showQuickPick: () => ask(),
  showInputBox: () => ask(),
  showOpenDialog: () => ask(),
  setStatusBarMessage: (text: string) => fake.messages.push(text),
  withProgress: (_options: unknown, work: () => unknown) => work(),
  showTextDocument: async () => window.activeTextEditor ?? fakeEditorOfNothing(),
  onDidChangeActiveTextEditor: events.activeEditor.event,
  onDidChangeVisibleTextEditors: events.visibleEditors.event,
  onDidChangeTextEditorSelection: events.selection.event,
  onDidChangeActiveColorTheme: events.theme.event,
  registerWebviewPanelSerializer: () => disposable,
  registerWebviewViewProvider: () => disposable,
  registerCustomEditorProvider: () => disposable,
};

const fakeEditorOfNothing = () => ({ revealRange: () => undefined });

export const commands = {
  registerCommand: (name: string, command: (...args: readonly unknown[]) => unknown) => {
    fake.commands.set(name, command);
    return disposable;
  },
  executeCommand: async (name: string, ...args: unknown[]) => {
    fake.executed.push([name, ...args]);
    if (name === "setContext") fake.contexts.set(String(args[0]), args[1]);
  },
};

export const l10n = {
  t: (text: string, ...values: readonly (string | number)[]) =>
    text.replaceAll(/\{(\d)\}/g, (slot, i) => String(values[Number(i)] ?? slot)),
  bundle: undefined,
};

export const TestRunProfileKind = { Run: 1 } as const;
export { TestMessage, tests } from "./tests.ts";

export const env = { language: "en" };
export const tasks = { registerTaskProvider: () => disposable };
export const lm = {
  registerTool: (name: string, tool: unknown) => {
    fake.providers.set(name, tool);
    return disposable;
  },
};

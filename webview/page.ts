/** Joins a page to the extension: hears messages, draws what they change, keeps what was drawn. */
import type {
  FileField,
  FromWebview,
  PanelPage,
  ToWebview,
  ValueOfRun,
  WebviewState,
} from "../src/protocol/webview.ts";
import { emptySession, received, type Session } from "./model/session.ts";
import { type Child, element } from "./ui/dom.ts";
import { useStrings } from "./ui/strings.ts";
import { onThemeChange } from "./ui/theme.ts";

/** A part of a page that is drawn anew when what it shows has changed. */
export interface RegionOf<Model> {
  readonly name: string;
  /** Shown on this page of the panel only; null: on all. */
  readonly page: PanelPage | null;
  /** Data that JSON can hold: it is kept for the first drawing after a reload. */
  readonly model: (session: Session) => Model;
  readonly draw: (model: Model, page: Page) => readonly Child[];
}

export interface Region extends Pick<RegionOf<unknown>, "name" | "page" | "model"> {
  /** Of what `model` gave, now or before a reload. */
  readonly draw: (model: unknown, page: Page) => readonly Child[];
}

export const region = <Model>(it: RegionOf<Model>): Region => ({
  ...it,
  draw: (model, page) => it.draw(model as Model, page),
});

/** What a region can do beside drawing. */
export interface Page {
  send(message: FromWebview): void;
  /** What the reader chose here, in this page or in the one before the reload. */
  recall(key: string, otherwise: string): string;
  remember(key: string, choice: string): void;
  openPage(page: PanelPage): void;
  chooseValue(value: ValueOfRun): void;
  /** Hears which file was chosen for a field, until the region is drawn anew. */
  onPicked(listener: PickedListener): void;
  /** Hears where the editor's cursor stands, until the region is drawn anew. */
  onCursor(listener: (file: string, line: number) => void): void;
}

interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
}
declare function acquireVsCodeApi(): VsCodeApi;

/** What was drawn last. */
interface Painted {
  readonly strings: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, unknown>>;
}

type PickedListener = (field: FileField, path: string) => void;
type CursorListener = (file: string, line: number) => void;

interface DrawnRegion {
  readonly element: HTMLElement;
  /** JSON of the model that is drawn; null before the first drawing. */
  drawn: string | null;
  listeners: CursorListener[];
  pickedListeners: PickedListener[];
}

export interface PageParts {
  readonly element: HTMLElement;
  /** The session's page has changed. */
  open(page: PanelPage): void;
}

/** `arrange` puts the regions' elements, by name, into the page. */
export function startPage(
  regions: readonly Region[],
  arrange: (
    elements: ReadonlyMap<string, HTMLElement>,
    first: PanelPage,
    openPage: (page: PanelPage) => void,
  ) => PageParts,
): void {
  const vscode = acquireVsCodeApi();
  let state = stateFrom(vscode.getState());
  let painted = paintedFrom(state.painted);
  let session: Session = { ...emptySession, page: state.page ?? emptySession.page };
  const drawn = new Map(
    regions.map(({ name }): [string, DrawnRegion] => [
      name,
      {
        element: element("section", { class: `region ${name}` }),
        drawn: null,
        listeners: [],
        pickedListeners: [],
      },
    ]),
  );
  useStrings(painted.strings);
  const arranged = (): PageParts => {
    const made = arrange(
      new Map([...drawn].map(([name, region]) => [name, region.element])),
      session.page,
      (page) => change({ ...session, page }),
    );
    document.getElementById("app")?.replaceChildren(made.element);
    return made;
  };
  let parts = arranged();

  function pageFor(region: DrawnRegion): Page {
    return {
      send: (message) => vscode.postMessage(message),
      recall: (key, otherwise) => {
        const kept = state.view[key];
        return typeof kept === "string" ? kept : otherwise;
      },
      remember: (key, choice) => keep({ ...state, view: { ...state.view, [key]: choice } }),
      openPage: (page) => {
        change({ ...session, page });
        parts.open(page);
      },
      chooseValue: (value) => change({ ...session, value }),
      onPicked: (listener) => region.pickedListeners.push(listener),
      onCursor: (listener) => region.listeners.push(listener),
    };
  }

  function draw(region: Region, model: unknown): void {
    const target = drawn.get(region.name);
    const json = JSON.stringify(model);
    if (target === undefined || target.drawn === json) return;
    target.drawn = json;
    target.listeners = [];
    target.pickedListeners = [];
    target.element.replaceChildren(...region.draw(model, pageFor(target)));
    painted = { ...painted, models: { ...painted.models, [region.name]: model } };
  }

  const shownRegions = () => regions.filter(({ page }) => page === null || page === session.page);

  function change(next: Session): void {
    session = next;
    for (const region of shownRegions()) draw(region, region.model(session));
    const runIds = session.shown.map(({ summary }) => summary.id);
    keep({ ...state, page: session.page, runIds, value: session.value });
  }

  /** In the page's own memory at once, in the workspace's when the reader has paused. */
  function keep(next: WebviewState): void {
    state = next;
    vscode.setState({ ...state, painted });
    clearTimeout(saving);
    saving = setTimeout(() => vscode.postMessage({ type: "saveState", state: bare(state) }), 500);
  }
  let saving: ReturnType<typeof setTimeout> | undefined;

  window.addEventListener("message", ({ data }: MessageEvent<ToWebview>) => {
    if (data.type === "init") {
      const isAnother = JSON.stringify(data.strings) !== JSON.stringify(painted.strings);
      painted = { ...painted, strings: data.strings };
      useStrings(data.strings);
      // What stands around the regions has words too.
      if (isAnother) parts = arranged();
    }
    const { page } = session;
    if (data.type === "cursor") {
      for (const { listeners } of drawn.values()) {
        for (const listener of listeners) listener(data.file, data.line);
      }
      return;
    }
    if (data.type === "picked") {
      for (const { pickedListeners } of drawn.values()) {
        for (const listener of pickedListeners) listener(data.field, data.path);
      }
      return;
    }
    change(received(session, data));
    if (session.page !== page) parts.open(session.page);
  });
  reportMistakes((message) => vscode.postMessage({ type: "mistake", message }));
  onThemeChange(() => {
    for (const region of shownRegions()) {
      const target = drawn.get(region.name);
      const json = target?.drawn ?? null;
      if (target === undefined || json === null) continue;
      target.drawn = null;
      draw(region, JSON.parse(json));
    }
  });

  for (const region of shownRegions()) {
    const model = painted.models[region.name];
    if (model !== undefined) draw(region, model);
  }
  vscode.postMessage({ type: "ready", state: bare(state) });
}

const emptyState: WebviewState = { version: 1, page: null, runIds: [], value: null, view: {} };

/** A state of another version of the page is as good as none. */
function stateFrom(kept: unknown): WebviewState {
  const isOurs =
    typeof kept === "object" && kept !== null && "version" in kept && kept.version === 1;
  return isOurs ? { ...emptyState, ...(kept as Partial<WebviewState>) } : emptyState;
}

function paintedFrom(kept: unknown): Painted {
  const isOurs = typeof kept === "object" && kept !== null && "models" in kept;
  return { strings: {}, models: {}, ...(isOurs ? (kept as Partial<Painted>) : {}) };
}

/** Without what only the page itself can use. */
function bare({ version, page, runIds, value, view }: WebviewState): WebviewState {
  return { version, page, runIds, value, view };
}

function reportMistakes(report: (message: string) => void): void {
  window.addEventListener("error", ({ message }) => report(message));
  window.addEventListener("unhandledrejection", ({ reason }) => report(String(reason)));
  document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
    report(`The page's policy ${violatedDirective} refused '${blockedURI}'`),
  );
}

/** The panel in the editor area: one, whatever its page; it comes back after a reload. */
import { type Disposable, l10n, Uri, ViewColumn, type WebviewPanel, window } from "vscode";
import type { FormPage, PanelPage, RunConfiguration, ValueOfRun } from "../protocol/webview.ts";
import type { Ctx } from "./context.ts";
import type { PageActions } from "./pageActions.ts";
import { connectPage, type WebviewPage } from "./webviewPage.ts";

export const panelType = "normscope.panel";

export interface Panel {
  open(page: PanelPage, runIds: readonly string[], value: ValueOfRun | null): Promise<void>;
  /** The form for a model: to run, to train or to sweep it. */
  configure(configuration: RunConfiguration, page?: FormPage): Promise<void>;
  readonly parts: readonly Disposable[];
}

export function createPanel(ctx: Ctx, actions: () => PageActions): Panel {
  let open: { readonly panel: WebviewPanel; readonly page: WebviewPage } | null = null;

  function connect(panel: WebviewPanel): WebviewPage {
    const icon = Uri.joinPath(ctx.extension.extensionUri, "media", "normscope.svg");
    panel.iconPath = icon;
    const page = connectPage(ctx, panel.webview, {
      kind: "panel",
      title: "Normscope",
      followsCurrent: false,
      actions: actions(),
      onShown(shown) {
        const names = shown.map(({ head }) => head.facts.entry ?? head.name);
        panel.title = names.length === 0 ? "Normscope" : names.join(l10n.t(" and "));
      },
    });
    open = { panel, page };
    panel.onDidDispose(() => {
      page.dispose();
      if (open?.panel === panel) open = null;
    });
    return page;
  }

  function revealed(): WebviewPage {
    if (open !== null) {
      open.panel.reveal(undefined, true);
      return open.page;
    }
    const column = { viewColumn: ViewColumn.Beside, preserveFocus: true };
    return connect(window.createWebviewPanel(panelType, "Normscope", column));
  }

  return {
    open: (page, runIds, value) => revealed().show(page, runIds, value),
    configure: (configuration, page = "configure") => revealed().configure(configuration, page),
    parts: [
      window.registerWebviewPanelSerializer(panelType, {
        async deserializeWebviewPanel(panel) {
          connect(panel);
        },
      }),
    ],
  };
}

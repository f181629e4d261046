/** The dashboard in the side bar: it shows whatever run is the current one. */
import { type Disposable, l10n, window } from "vscode";
import type { Ctx } from "./context.ts";
import type { PageActions } from "./pageActions.ts";
import { connectPage } from "./webviewPage.ts";

export function registerDashboard(ctx: Ctx, actions: PageActions): Disposable[] {
  return [
    window.registerWebviewViewProvider("normscope.dashboard", {
      resolveWebviewView(view) {
        const page = connectPage(ctx, view.webview, {
          kind: "dashboard",
          title: l10n.t("Dashboard"),
          followsCurrent: true,
          actions,
        });
        view.onDidDispose(() => page.dispose());
      },
    }),
  ];
}

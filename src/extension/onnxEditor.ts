/** An ONNX file opened with Normscope: the panel's form, from which it is run. */
import { type CustomDocument, type Disposable, type Uri, window } from "vscode";
import { lastConfiguration } from "./configurations.ts";
import type { Ctx } from "./context.ts";
import type { PageActions } from "./pageActions.ts";
import { connectPage } from "./webviewPage.ts";

export const onnxEditorType = "normscope.onnx";

export function registerOnnxEditor(ctx: Ctx, actions: PageActions): Disposable[] {
  const provider = {
    openCustomDocument: (uri: Uri): CustomDocument => ({ uri, dispose: () => undefined }),
    async resolveCustomEditor(
      document: CustomDocument,
      panel: import("vscode").WebviewPanel,
    ): Promise<void> {
      const page = connectPage(ctx, panel.webview, {
        kind: "panel",
        title: document.uri.path.split("/").at(-1) ?? "",
        followsCurrent: false,
        actions,
      });
      panel.onDidDispose(() => page.dispose());
      await page.configure(lastConfiguration(ctx, document.uri.toString(), null), "configure");
    },
  };
  return [window.registerCustomEditorProvider(onnxEditorType, provider)];
}

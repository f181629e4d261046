/** The pages that the extension shows in the window: two frames deep, told apart by their kind. */
import type { Frame, Page } from "playwright-core";
import type { WebviewKind } from "../../../src/protocol/webview.ts";
import { eventually } from "./waiting.ts";

/** The document of the page of this kind, once it is drawn. */
export async function webviewOf(page: Page, kind: WebviewKind): Promise<Frame> {
  return eventually(`the page ${kind}`, async () => {
    for (const frame of page.frames()) {
      const app = frame.locator(`main#app[data-kind="${kind}"]`);
      if ((await app.count()) > 0 && (await app.isVisible())) return frame;
    }
    return null;
  });
}

/** Notes violations of our pages' policy in this window: "style-src-elem: inline". */
export async function watchPolicies(page: Page, found: string[]): Promise<void> {
  await page.exposeFunction("policyViolated", (text: string) => found.push(text));
  await page.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (event) => {
      const isOurs = document.querySelector("main#app[data-kind]") !== null;
      if (isOurs) policyViolated(`${event.violatedDirective}: ${event.blockedURI}`);
    });
  });
}

declare function policyViolated(text: string): void;

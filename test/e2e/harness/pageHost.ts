/** Shows a page of the extension without the editor, under the policy that the extension gives it. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import type { FromWebview, ToWebview, WebviewKind } from "../../../src/protocol/webview.ts";

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));

export const themes = ["dark", "light", "highContrast", "highContrastLight"] as const;
export type Theme = (typeof themes)[number];

export interface PageHost {
  open(browser: Browser, options: OpenOptions): Promise<OpenPage>;
  close(): void;
}

export interface OpenOptions {
  readonly kind: WebviewKind;
  readonly theme: Theme;
  readonly width: number;
  readonly height: number;
  /** What the editor kept of the page before. */
  readonly state?: unknown;
}

export interface OpenPage {
  readonly page: Page;
  say(message: ToWebview): Promise<void>;
  heard(): Promise<FromWebview[]>;
  kept(): Promise<unknown>;
  useTheme(theme: Theme): Promise<void>;
  violations(): Promise<string[]>;
}

export async function startPageHost(): Promise<PageHost> {
  const server = createServer((request, response) => {
    const name = basename(request.url?.split("?")[0] ?? "");
    if (name === "" || name === "favicon.ico") return response.writeHead(204).end();
    const types: Readonly<Record<string, string>> = { js: "text/javascript", css: "text/css" };
    const type = types[name.split(".").at(-1) ?? ""] ?? "font/ttf";
    response.writeHead(200, { "content-type": type });
    return response.end(readFileSync(join(root, "dist/webview", name)));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    open: (browser, options) => open(browser, address, options),
    close: () => server.close(),
  };
}

async function open(browser: Browser, address: string, options: OpenOptions): Promise<OpenPage> {
  const { kind, theme, width, height } = options;
  const page = await browser.newPage({ viewport: { width, height } });
  await page.route(`${address}/page`, (route) =>
    route.fulfill({ contentType: "text/html", body: html(address, kind, theme) }),
  );
  await page.addInitScript(fakeApi, options.state ?? null);
  await page.goto(`${address}/page`);
  return {
    page,
    say: (message) => page.evaluate((data) => window.postMessage(data, "*"), message),
    heard: () => page.evaluate(() => heardByTest),
    kept: () => page.evaluate(() => keptByTest.state),
    useTheme: (next) => page.evaluate(applyTheme, themeOf(next)),
    violations: () => page.evaluate(() => violationsForTest),
  };
}

declare const heardByTest: FromWebview[];
declare const keptByTest: { state: unknown };
declare const violationsForTest: string[];

/** Runs in the page, before its own script. */
function fakeApi(state: unknown): void {
  const [heard, violations, kept] = [[] as unknown[], [] as string[], { state }];
  document.addEventListener("securitypolicyviolation", (event) =>
    violations.push(`${event.violatedDirective}: ${event.blockedURI}`),
  );
  Object.assign(window, {
    heardByTest: heard,
    violationsForTest: violations,
    keptByTest: kept,
    acquireVsCodeApi: () => ({
      postMessage: (message: unknown) => heard.push(message),
      getState: () => kept.state,
      setState: (next: unknown) => {
        kept.state = structuredClone(next);
      },
    }),
  });
}

interface ThemeOfPage {
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Recorded from the editor: its own variables, those that our pages and their controls read. */
const themeOf = (theme: Theme): ThemeOfPage =>
  JSON.parse(readFileSync(join(root, `test/e2e/themes/${theme}.json`), "utf8"));

function applyTheme({ bodyClass, variables }: ThemeOfPage): void {
  const { style } = document.documentElement;
  style.cssText = "";
  for (const [name, value] of Object.entries(variables)) style.setProperty(name, value);
  document.body.className = bodyClass;
}

function html(address: string, kind: WebviewKind, theme: Theme): string {
  const nonce = "bm9uY2U";
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${address} 'nonce-${nonce}'`,
    `font-src ${address}`,
    `img-src ${address} data:`,
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta property="csp-nonce" content="${nonce}">
<title>Normscope</title>
<link rel="stylesheet" nonce="${nonce}" href="${address}/${kind}.css">
</head>
<body>
<main id="app" data-kind="${kind}"></main>
<script nonce="${nonce}">(${applyTheme})(${JSON.stringify(themeOf(theme))})</script>
<script nonce="${nonce}" src="${address}/${kind}.js"></script>
</body>
</html>`;
}

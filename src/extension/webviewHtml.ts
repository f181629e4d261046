/** The page that a webview starts from: one script and one style sheet of ours, and nothing else. */
import { randomBytes } from "node:crypto";
import { escapeHtml } from "../present/html/escape.ts";
import type { WebviewKind } from "../protocol/webview.ts";

export interface PageParts {
  readonly kind: WebviewKind;
  readonly title: string;
  readonly language: string;
  /** The webview's own origin. */
  readonly cspSource: string;
  readonly script: string;
  readonly style: string;
  readonly nonce: string;
}

export const newNonce = (): string => randomBytes(16).toString("base64");

export function webviewHtml(parts: PageParts): string {
  const { kind, title, language, cspSource, script, style, nonce } = parts;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource} 'nonce-${nonce}'`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} data:`,
  ].join("; ");
  return `<!DOCTYPE html>
<html lang="${escapeHtml(language)}">
  <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="${escapeHtml(policy)}">
    <meta property="csp-nonce" content="${nonce}">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" nonce="${nonce}" href="${escapeHtml(style)}">
  </head>
  <body>
    <main id="app" data-kind="${kind}"></main>
    <script nonce="${nonce}" src="${escapeHtml(script)}"></script>
  </body>
</html>
`;
}

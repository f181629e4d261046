import { expect, test } from "vitest";
import { newNonce, webviewHtml } from "./webviewHtml.ts";

const parts = {
  kind: "panel",
  title: 'Net<img src="x">',
  language: "de",
  cspSource: "https://*.vscode-cdn.net",
  script: "https://file/panel.js",
  style: "https://file/panel.css",
  nonce: newNonce(),
} as const;
const html = webviewHtml(parts);

test("only what carries the page's nonce may run", () => {
  const policy = /content="(default-src[^"]*)"/.exec(html)?.[1];
  expect(policy).toContain(`script-src &#39;nonce-${parts.nonce}&#39;`);
  expect(html).not.toMatch(/unsafe-inline|unsafe-eval/);
  expect(html.match(/<script/g)).toHaveLength(1);
});

test("a title is text", () => {
  expect(html).toContain("<title>Net&lt;img src=&quot;x&quot;&gt;</title>");
});

test("no two pages share a nonce", () => {
  expect(newNonce()).not.toBe(newNonce());
});

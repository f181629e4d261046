/** One self-contained HTML page: no script, nothing loaded from anywhere. */
import { createHash } from "node:crypto";
import { escapeHtml } from "./escape.ts";
import { styles } from "./styles.ts";

export interface Section {
  readonly heading: string;
  /** HTML. */
  readonly body: string;
}

export function page(title: string, subtitle: string, sections: readonly Section[]): string {
  const styleHash = createHash("sha256").update(styles).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'`;
  return [
    `<!doctype html>`,
    `<html lang="en">`,
    `<head>`,
    `<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="color-scheme" content="light dark">`,
    `<title>${escapeHtml(title)}</title>`,
    `<style>${styles}</style>`,
    `</head>`,
    `<body>`,
    `<header><h1>${escapeHtml(title)}</h1><p>${escapeHtml(subtitle)}</p></header>`,
    `<main>`,
    ...sections.map(section),
    `</main>`,
    `</body>`,
    `</html>`,
    ``,
  ].join("\n");
}

const section = ({ heading, body }: Section): string =>
  `<section><h2>${escapeHtml(heading)}</h2>\n${body}\n</section>`;

/** What the documentation that comes with the extension says of a code. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { docSection } from "../present/docSection.ts";

/** Findings and errors each have a page; one that is not there explains nothing. */
const pages = ["findings.md", "errors.md"];

export async function explanation(extensionPath: string, code: string): Promise<string | null> {
  const texts = await Promise.all(
    pages.map((name) => readFile(join(extensionPath, "docs", name), "utf8").catch(() => "")),
  );
  return texts.map((text) => docSection(text, code)).find((it) => it !== null) ?? null;
}

/** What is written of findings: every code has its section, and every section a rule. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { defaultLimits } from "../../src/findings/limits.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const rules = readdirSync(join(root, "src/findings")).filter((name) => !name.endsWith(".test.ts"));
const text = rules.map((name) => readFileSync(join(root, "src/findings", name), "utf8")).join("\n");
const page = readFileSync(join(root, "docs/findings.md"), "utf8");

test("codes and sections of docs/findings.md are the same", () => {
  const codes = new Set(
    [
      ...text.matchAll(
        /"((?:numbers|attention|norm|block|init|parameters|depth|units|loss|model|experts|training)\/[a-z-]+)"/g,
      ),
    ].map(([, code]) => code),
  );
  const sections = new Set([...page.matchAll(/^## (\S+)$/gm)].map(([, code]) => code));
  expect([...codes].sort()).toEqual([...sections].sort());
  expect(codes.size).toBeGreaterThan(30);
});

test("every section says what kind of finding it is, and every limit is named", () => {
  for (const section of page.split(/^## /m).slice(1))
    expect(section).toMatch(/^\S+\n\n\*(?:Measured|Structural)/);
  for (const name of Object.keys(defaultLimits)) expect(page).toContain(name);
});

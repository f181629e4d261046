import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { path, text } from "../../scripts/gen/models.ts";

test("docs/models.md is what npm run gen writes", () => {
  expect(readFileSync(path, "utf8")).toBe(text());
});

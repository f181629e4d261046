import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { path, text } from "../../scripts/gen/ops.ts";

test("docs/ops.md is what npm run gen writes", () => {
  expect(readFileSync(path, "utf8")).toBe(text());
});

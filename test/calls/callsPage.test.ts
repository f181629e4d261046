import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { path, text } from "../../scripts/gen/torch.ts";

test("docs/torch.md says what the calls and their cases say: npm run gen brings it up to date", () => {
  expect(readFileSync(path, "utf8")).toBe(text());
});

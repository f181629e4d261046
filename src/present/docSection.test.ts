import { expect, test } from "vitest";
import { docSection } from "./docSection.ts";

const page = "# Errors\n\n## a/one\n\nFirst.\n\n- x\n\n## a/two\n\nLast.\n";

test("a section ends where the next begins", () => {
  expect(docSection(page, "a/one")).toBe("First.\n\n- x");
  expect(docSection(page, "a/two")).toBe("Last.");
  expect(docSection(page, "a/three")).toBeNull();
});

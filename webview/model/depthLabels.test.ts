import { afterEach, expect, test } from "vitest";
import { depthProfiles } from "../../src/present/depthProfiles.ts";
import { preReport } from "../../test/fixtures/reports.ts";
import { useStrings } from "../ui/strings.ts";
import { depthLabel } from "./depthLabels.ts";

afterEach(() => useStrings({}));

test("every series of a depth profile has its words in the page's language", () => {
  const texts = depthProfiles(preReport()).flatMap(({ series }) =>
    series.flatMap(({ label, definition }) => [label, definition]),
  );
  expect(texts.length).toBeGreaterThan(8);
  expect(texts.map(depthLabel)).toEqual(texts);
  const keys = [...texts, "{0} / stream"].map((text) =>
    text.replace(/what \w+ adds/, "what {0} adds"),
  );
  useStrings(Object.fromEntries(keys.map((text) => [text, `de: ${text}`])));
  expect(texts.map(depthLabel).filter((text) => !text.startsWith("de: "))).toEqual([]);
  expect(depthLabel("attn / stream")).toBe("de: attn / stream");
});

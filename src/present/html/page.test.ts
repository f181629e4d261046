import { expect, test } from "vitest";
import { page } from "./page.ts";

test("titles are escaped, sections are HTML", () => {
  const html = page("<a>", "b & c", [{ heading: "<d>", body: "<p>e</p>" }]);
  expect(html).toContain("<title>&lt;a&gt;</title>");
  expect(html).toContain("<p>b &amp; c</p>");
  expect(html).toContain("<section><h2>&lt;d&gt;</h2>\n<p>e</p>\n</section>");
});

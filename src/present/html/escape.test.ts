import { expect, test } from "vitest";
import { escapeHtml } from "./escape.ts";

test("nothing in a name can end its element, its attribute, or the text", () => {
  expect(escapeHtml(`<img src="x" onerror='f()'>&amp;\u0000\u001b[2J`)).toBe(
    "&lt;img src=&quot;x&quot; onerror=&#39;f()&#39;&gt;&amp;amp;\ufffd\ufffd[2J",
  );
  expect(escapeHtml("a\n\tb ▁▂ é")).toBe("a\n\tb ▁▂ é");
});

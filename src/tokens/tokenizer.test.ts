import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createTokenizer } from "./tokenizer.ts";

const read = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../test/tokens/fixtures/${name}`, import.meta.url), "utf8"));

const { texts, ids } = read("expected.json") as {
  readonly texts: readonly string[];
  readonly ids: Readonly<Record<string, readonly (readonly number[])[]>>;
};

test.each(Object.entries(ids))("%s divides texts as the library does", (name, wanted) => {
  const tokenizer = createTokenizer(read(`${name}.json`));
  expect(texts.map((text) => tokenizer.encode(text))).toEqual(wanted);
});

test("a long word is divided in a time that its length allows", () => {
  const tokenizer = createTokenizer(read("sentencePiece.json"));
  const start = performance.now();
  expect(tokenizer.encode("the stream of blocks ".repeat(5000)).length).toBeGreaterThan(5000);
  expect(performance.now() - start).toBeLessThan(20_000);
});

test.each([
  ["a file without a model", {}],
  ["the model 'Neural'", { model: { type: "Neural", vocab: {} } }],
  ["a BPE model without merges", { model: { type: "BPE", vocab: {} } }],
  [
    "the normalizer 'Nmt'",
    { model: { type: "WordLevel", vocab: {}, unk_token: "u" }, normalizer: { type: "Nmt" } },
  ],
  [
    "the pattern '\\p{L}++'",
    {
      model: { type: "WordLevel", vocab: {} },
      pre_tokenizer: { type: "Split", pattern: { Regex: "\\p{L}++" }, behavior: "Isolated" },
    },
  ],
])("says that it has %s", (what, json) => {
  expect(() => createTokenizer(json)).toThrow(`it has ${what}`);
});

/** A tokenizer.json, as the Hugging Face tokenizers library writes it → texts as ids. */
import { tokenizerUnsupported } from "../errors.ts";
import { bytePair, type EncodeWord } from "./bytePair.ts";
import { normalizer } from "./normalizers.ts";
import { literalPattern } from "./pattern.ts";
import { preTokenizer } from "./preTokenizers.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { unigram, wordLevel, wordPiece } from "./subwords.ts";

export interface Tokenizer {
  /** Without tokens that mark the beginning or the end. */
  encode(text: string): number[];
  /** One more than the largest id. */
  readonly size: number;
}

/** `json` is the parsed file. Throws for parts that are not known. */
export function createTokenizer(json: unknown): Tokenizer {
  if (typeof json !== "object" || json === null || !("model" in json))
    throw tokenizerUnsupported("a file without a model");
  const parts = json as Readonly<Record<string, unknown>>;
  const model = settingsOf(withType(parts["model"]), "a model");
  if (model === null) throw tokenizerUnsupported("a file without a model");
  const { vocabulary, encode } = modelOf(model);
  const normalize = normalizer(settingsOf(parts["normalizer"], "a normalizer"));
  const cut = preTokenizer(settingsOf(parts["pre_tokenizer"], "a pre-tokenizer"));
  const added = addedTokens(parts["added_tokens"]);
  const pattern = added.size === 0 ? null : longestFirst([...added.keys()]);

  const encodePlain = (text: string, isFirst: boolean): number[] =>
    text === "" ? [] : cut([normalize(text)], isFirst).flatMap((word) => encode(word));

  return {
    size: 1 + [...vocabulary.values(), ...added.values()].reduce((a, b) => Math.max(a, b), -1),
    encode(text) {
      if (pattern === null) return encodePlain(text, true);
      const ids: number[] = [];
      const append = (more: readonly number[]) => {
        for (const id of more) ids.push(id);
      };
      let at = 0;
      for (const { 0: token, index } of text.matchAll(pattern)) {
        append(encodePlain(text.slice(at, index), at === 0));
        ids.push(added.get(token) ?? 0);
        at = index + token.length;
      }
      append(encodePlain(text.slice(at), at === 0));
      return ids;
    },
  };
}

/** Old files leave the model's type out. */
function withType(model: unknown): unknown {
  if (typeof model !== "object" || model === null || "type" in model) return model;
  if ("merges" in model) return { ...model, type: "BPE" };
  return { ...model, type: "continuing_subword_prefix" in model ? "WordPiece" : "Unigram" };
}

function modelOf(model: Settings): {
  vocabulary: ReadonlyMap<string, number>;
  encode: EncodeWord;
} {
  if (model.type === "Unigram") return unigram(model);
  const vocabulary = vocabularyOf(model);
  if (model.type === "BPE") return { vocabulary, encode: bytePair(model, vocabulary) };
  if (model.type === "WordPiece") return { vocabulary, encode: wordPiece(model, vocabulary) };
  if (model.type === "WordLevel") return { vocabulary, encode: wordLevel(model, vocabulary) };
  throw tokenizerUnsupported(`the model '${model.type}'`);
}

function vocabularyOf(model: Settings): Map<string, number> {
  const vocabulary = model["vocab"];
  if (typeof vocabulary !== "object" || vocabulary === null)
    throw tokenizerUnsupported("a model without a vocabulary");
  return new Map(Object.entries(vocabulary).map(([token, id]) => [token, Number(id)]));
}

function addedTokens(list: unknown): Map<string, number> {
  const rows: readonly unknown[] = Array.isArray(list) ? list : [];
  return new Map(
    rows.flatMap((row): [string, number][] => {
      if (typeof row !== "object" || row === null) return [];
      const { content, id } = row as { content?: unknown; id?: unknown };
      return typeof content === "string" && content !== "" ? [[content, Number(id)]] : [];
    }),
  );
}

function longestFirst(tokens: readonly string[]): RegExp {
  const ordered = tokens.toSorted((a, b) => b.length - a.length);
  return new RegExp(ordered.map((token) => literalPattern(token).source).join("|"), "gu");
}

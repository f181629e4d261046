/** Regular expressions as tokenizer.json writes them (Oniguruma's), as those of JavaScript. */
import { tokenizerUnsupported } from "../errors.ts";

/** Throws for what has no counterpart. */
export function patternOf(source: string): RegExp {
  if (/[+*?}]\+|\(\?>|\\[AGZzKhR]/.test(withoutEscapes(source)))
    throw tokenizerUnsupported(`the pattern '${source}'`);
  const spaced = source
    .replaceAll(/\\([sS])/g, (_, letter) =>
      letter === "s" ? "\\p{White_Space}" : "\\P{White_Space}",
    )
    .replaceAll(/\(\?i:((?:[^()\\]|\\.)*)\)/g, (_, inner) => `(?:${eitherCase(inner)})`);
  try {
    return new RegExp(spaced, "gu");
  } catch {
    throw tokenizerUnsupported(`the pattern '${source}'`);
  }
}

const withoutEscapes = (source: string): string =>
  source.replaceAll(/\\[pP]\{[^}]*\}|\\[^AGZzKhR]/g, "x");

const eitherCase = (inner: string): string =>
  inner.replaceAll(/\\.|[a-z]/gi, (part) =>
    part.length === 1 ? `[${part.toLowerCase()}${part.toUpperCase()}]` : part,
  );

export const literalPattern = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&"), "gu");

/** What stands in tokenizer.json: {"Regex": …} or {"String": …}. */
export function readPattern(pattern: unknown): RegExp {
  if (typeof pattern === "object" && pattern !== null) {
    if ("Regex" in pattern) return patternOf(String(pattern.Regex));
    if ("String" in pattern) return literalPattern(String(pattern.String));
  }
  throw tokenizerUnsupported("a pattern of an unknown kind");
}

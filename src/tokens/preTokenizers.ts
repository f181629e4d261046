/** How a tokenizer cuts a text into words, each of which its model then divides. */
import { tokenizerUnsupported } from "../errors.ts";
import { patternOf, readPattern } from "./pattern.ts";
import { flag, partsOf, type Settings, textSetting } from "./settings.ts";

/** `isFirst`: the words begin the text, nothing was cut off before. */
export type Cut = (words: readonly string[], isFirst: boolean) => string[];

const byteLevelWords =
  "'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+";

/** Throws for a kind that is not known. */
export function preTokenizer(settings: Settings | null): Cut {
  if (settings === null) return (words) => [...words];
  switch (settings.type) {
    case "Sequence": {
      const steps = partsOf(settings, "pretokenizers", "a pre-tokenizer").map(preTokenizer);
      return (words, isFirst) => steps.reduce((done, step) => step(done, isFirst), [...words]);
    }
    case "ByteLevel":
      return byteLevel(settings);
    case "Split":
      return split(
        readPattern(settings["pattern"]),
        textSetting(settings, "behavior") ?? "Isolated",
        flag(settings, "invert", false),
      );
    case "Digits": {
      const single = flag(settings, "individual_digits", false);
      return split(single ? /\p{N}/gu : /\p{N}+/gu, "Isolated", false);
    }
    case "Punctuation":
      return split(punctuation, textSetting(settings, "behavior") ?? "Isolated", false);
    case "Whitespace":
      return matches(/[\p{L}\p{M}\p{N}\p{Pc}]+|[^\p{L}\p{M}\p{N}\p{Pc}\p{White_Space}]+/gu);
    case "WhitespaceSplit":
      return matches(/\P{White_Space}+/gu);
    case "BertPreTokenizer": {
      const words = matches(/\P{White_Space}+/gu);
      const marks = split(punctuation, "Isolated", false);
      return (parts, isFirst) => marks(words(parts, isFirst), isFirst);
    }
    case "Metaspace":
      return metaspace(settings);
    default:
      throw tokenizerUnsupported(`the pre-tokenizer '${settings.type}'`);
  }
}

const punctuation = /[!-/:-@[-`{-~\p{P}]/gu;

const matches =
  (pattern: RegExp): Cut =>
  (words) =>
    words.flatMap((word) => word.match(pattern) ?? []);

interface Piece {
  readonly text: string;
  readonly isMatch: boolean;
}

function pieces(word: string, pattern: RegExp, inverted: boolean): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of word.matchAll(pattern)) {
    if (match[0] === "") continue;
    if (match.index > at) found.push({ text: word.slice(at, match.index), isMatch: inverted });
    found.push({ text: match[0], isMatch: !inverted });
    at = match.index + match[0].length;
  }
  if (at < word.length) found.push({ text: word.slice(at), isMatch: inverted });
  return found;
}

function split(pattern: RegExp, behavior: string, inverted: boolean): Cut {
  const join = joiners[behavior];
  if (join === undefined) throw tokenizerUnsupported(`splitting as '${behavior}'`);
  return (words) => words.flatMap((word) => join(pieces(word, pattern, inverted)));
}

/** What becomes of the parts that the pattern matched. */
const joiners: Readonly<Record<string, (parts: readonly Piece[]) => string[]>> = {
  Isolated: (parts) => parts.map(({ text }) => text),
  Removed: (parts) => parts.flatMap(({ text, isMatch }) => (isMatch ? [] : [text])),
  Contiguous(parts) {
    const joined: string[] = [];
    parts.forEach(({ text, isMatch }, i) => {
      if (i > 0 && parts[i - 1]?.isMatch === isMatch) joined[joined.length - 1] += text;
      else joined.push(text);
    });
    return joined;
  },
  MergedWithPrevious(parts) {
    const joined: string[] = [];
    parts.forEach(({ text, isMatch }, i) => {
      if (isMatch && i > 0 && parts[i - 1]?.isMatch === false) joined[joined.length - 1] += text;
      else joined.push(text);
    });
    return joined;
  },
  MergedWithNext(parts) {
    const joined: string[] = [];
    let held = "";
    for (const { text, isMatch } of parts) {
      if (isMatch) {
        if (held !== "") joined.push(held);
        held = text;
      } else {
        joined.push(held + text);
        held = "";
      }
    }
    return held === "" ? joined : [...joined, held];
  },
};

/** Bytes as characters that can be seen: those of Latin-1, and what is above for the others. */
const characterOfByte = byteCharacters();

function byteCharacters(): string[] {
  const isSeen = (byte: number) =>
    (byte >= 0x21 && byte <= 0x7e) || (byte >= 0xa1 && byte !== 0xad);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isSeen(byte) ? byte : next++),
  );
}

function byteLevel(settings: Settings): Cut {
  const addsSpace = flag(settings, "add_prefix_space", true);
  const words = flag(settings, "use_regex", true) ? matches(patternOf(byteLevelWords)) : null;
  return (texts, isFirst) => {
    const spaced = texts.map((text) =>
      addsSpace && text !== "" && !text.startsWith(" ") ? ` ${text}` : text,
    );
    const cut = words === null ? spaced : words(spaced, isFirst);
    return cut.map((word) =>
      Array.from(Buffer.from(word), (byte) => characterOfByte[byte]).join(""),
    );
  };
}

function metaspace(settings: Settings): Cut {
  const mark = textSetting(settings, "replacement") ?? "▁";
  const scheme =
    textSetting(settings, "prepend_scheme") ??
    (flag(settings, "add_prefix_space", true) ? "always" : "never");
  const next = split(new RegExp(mark, "gu"), "MergedWithNext", false);
  const cuts = flag(settings, "split", true);
  return (texts, isFirst) => {
    const marked = texts.map((text) => {
      const replaced = text.replaceAll(" ", mark);
      const prepends = scheme === "always" || (scheme === "first" && isFirst);
      return prepends && !replaced.startsWith(mark) ? mark + replaced : replaced;
    });
    return cuts ? next(marked, isFirst) : marked;
  };
}

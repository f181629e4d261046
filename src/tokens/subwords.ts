/** WordPiece, Unigram and WordLevel: the other ways to divide a word. */
import { tokenizerUnsupported } from "../errors.ts";
import type { EncodeWord } from "./bytePair.ts";
import { flag, type Settings, textSetting } from "./settings.ts";

type Vocabulary = ReadonlyMap<string, number>;

/** The longest piece from the left, again and again; a word with a rest that is none is unknown. */
export function wordPiece(settings: Settings, vocabulary: Vocabulary): EncodeWord {
  const prefix = textSetting(settings, "continuing_subword_prefix") ?? "##";
  const unknown = idOf(vocabulary, textSetting(settings, "unk_token") ?? "[UNK]");
  const limit = Number(settings["max_input_chars_per_word"] ?? 100);
  return (word) => {
    const characters = Array.from(word);
    if (characters.length > limit) return [unknown];
    const ids: number[] = [];
    for (let from = 0; from < characters.length; ) {
      let to = characters.length;
      let id: number | undefined;
      for (; to > from && id === undefined; to--) {
        const piece = characters.slice(from, to).join("");
        id = vocabulary.get(from === 0 ? piece : prefix + piece);
      }
      if (id === undefined) return [unknown];
      ids.push(id);
      from = to + 1;
    }
    return ids;
  };
}

export function wordLevel(settings: Settings, vocabulary: Vocabulary): EncodeWord {
  const unknown = vocabulary.get(textSetting(settings, "unk_token") ?? "");
  return (word) => {
    const id = vocabulary.get(word) ?? unknown;
    return id === undefined ? [] : [id];
  };
}

/** An unknown character costs this much more than the rarest piece. */
const unknownPenalty = 10;

/** The division whose pieces are likeliest together (Viterbi). */
export function unigram(settings: Settings): { vocabulary: Vocabulary; encode: EncodeWord } {
  const rows = settings["vocab"];
  if (!Array.isArray(rows)) throw tokenizerUnsupported("a Unigram model without a vocabulary");
  const scores = new Map<string, { id: number; score: number }>();
  rows.forEach((row: unknown, id) => {
    const [piece, score] = Array.isArray(row) ? row : [];
    scores.set(String(piece), { id, score: Number(score) });
  });
  const vocabulary = new Map([...scores].map(([piece, { id }]) => [piece, id]));
  const unknown = typeof settings["unk_id"] === "number" ? settings["unk_id"] : null;
  const fallsBack = flag(settings, "byte_fallback", false);
  let least = Number.POSITIVE_INFINITY;
  let longest = 0;
  for (const [piece, { score }] of scores) {
    least = Math.min(least, score);
    longest = Math.max(longest, Array.from(piece).length);
  }
  const unknownScore = least - unknownPenalty;

  function encode(word: string): number[] {
    const characters = Array.from(word);
    const best = new Float64Array(characters.length + 1).fill(Number.NEGATIVE_INFINITY);
    const from = new Int32Array(characters.length + 1);
    best[0] = 0;
    for (let start = 0; start < characters.length; start++) {
      let piece = "";
      let hasSingle = false;
      for (let end = start + 1; end <= Math.min(start + longest, characters.length); end++) {
        piece += characters[end - 1];
        const found = scores.get(piece);
        if (found === undefined) continue;
        hasSingle ||= end === start + 1;
        offer(start, end, found.score);
      }
      if (!hasSingle) offer(start, start + 1, unknownScore);
    }
    return idsOf(divided(characters, from));

    function offer(start: number, end: number, score: number): void {
      const total = (best[start] as number) + score;
      if (total <= (best[end] as number)) return;
      best[end] = total;
      from[end] = start;
    }
  }

  /** Unknown characters side by side are one unknown piece. */
  function idsOf(pieces: readonly string[]): number[] {
    const ids: number[] = [];
    let unknownText = "";
    const flush = () => {
      if (unknownText === "") return;
      const bytes = fallsBack ? Array.from(Buffer.from(unknownText), byteName) : [];
      const byteIds = bytes.map((name) => vocabulary.get(name));
      if (bytes.length > 0 && byteIds.every((id) => id !== undefined)) ids.push(...byteIds);
      else if (unknown !== null) ids.push(unknown);
      unknownText = "";
    };
    for (const piece of pieces) {
      const id = vocabulary.get(piece);
      if (id === undefined) unknownText += piece;
      else {
        flush();
        ids.push(id);
      }
    }
    flush();
    return ids;
  }

  return { vocabulary, encode };
}

const byteName = (byte: number): string =>
  `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;

function divided(characters: readonly string[], from: Int32Array): string[] {
  const pieces: string[] = [];
  for (let end = characters.length; end > 0; end = from[end] as number)
    pieces.push(characters.slice(from[end], end).join(""));
  return pieces.reverse();
}

function idOf(vocabulary: Vocabulary, token: string): number {
  const id = vocabulary.get(token);
  if (id === undefined) throw tokenizerUnsupported(`no id for '${token}'`);
  return id;
}

/** Byte-pair encoding: the pair whose merge was learned first is merged first, from the left. */
import { tokenizerUnsupported } from "../errors.ts";
import { flag, type Settings, textSetting } from "./settings.ts";

/** The ids of one word. */
export type EncodeWord = (word: string) => readonly number[];

export function bytePair(settings: Settings, vocabulary: ReadonlyMap<string, number>): EncodeWord {
  const ranks = mergeRanks(settings);
  const unknown = vocabulary.get(textSetting(settings, "unk_token") ?? "");
  const prefix = textSetting(settings, "continuing_subword_prefix") ?? "";
  const suffix = textSetting(settings, "end_of_word_suffix") ?? "";
  const fallsBack = flag(settings, "byte_fallback", false);
  const fuses = flag(settings, "fuse_unk", false);
  const wholeFirst = flag(settings, "ignore_merges", false);
  const cache = new Map<string, readonly number[]>();

  function idsOf(pieces: readonly string[]): number[] {
    const ids: number[] = [];
    let wasUnknown = false;
    for (const piece of pieces) {
      const id = vocabulary.get(piece);
      const bytes = id === undefined && fallsBack ? byteIds(piece, vocabulary) : null;
      const isUnknown = id === undefined && bytes === null;
      if (id !== undefined) ids.push(id);
      else if (bytes !== null) ids.push(...bytes);
      else if (unknown === undefined) continue;
      else if (!fuses || !wasUnknown) ids.push(unknown);
      wasUnknown = isUnknown;
    }
    return ids;
  }

  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const whole = wholeFirst ? vocabulary.get(word) : undefined;
    const characters = Array.from(word);
    const start = characters.map((character, i) => {
      const marked = i === 0 ? character : prefix + character;
      return i === characters.length - 1 ? marked + suffix : marked;
    });
    const ids = whole === undefined ? idsOf(merge(start, ranks, prefix.length)) : [whole];
    if (word.length < cachedLength && cache.size < cachedWords) cache.set(word, ids);
    return ids;
  };
}

const cachedLength = 64;
const cachedWords = 100_000;

function byteIds(piece: string, vocabulary: ReadonlyMap<string, number>): number[] | null {
  const ids: number[] = [];
  for (const byte of Buffer.from(piece)) {
    const name = `<0x${byte.toString(16).toUpperCase().padStart(2, "0")}>`;
    const id = vocabulary.get(name);
    if (id === undefined) return null;
    ids.push(id);
  }
  return ids;
}

/** "a b" or ["a", "b"] → its place in the list. */
function mergeRanks(settings: Settings): ReadonlyMap<string, number> {
  const merges = settings["merges"];
  if (!Array.isArray(merges)) throw tokenizerUnsupported("a BPE model without merges");
  return new Map(
    merges.map((pair: unknown, rank) => [
      Array.isArray(pair) ? pair.join("\n") : String(pair).replace(" ", "\n"),
      rank,
    ]),
  );
}

interface Candidate {
  readonly rank: number;
  readonly left: number;
  readonly right: number;
  /** What the two were when the pair was found. */
  readonly pair: string;
}

/** `hidden`: how much of a right-hand piece is its prefix and falls away in the merge. */
function merge(
  pieces: readonly string[],
  ranks: ReadonlyMap<string, number>,
  hidden: number,
): readonly string[] {
  const texts: (string | null)[] = [...pieces];
  const next = pieces.map((_, i) => i + 1);
  const previous = pieces.map((_, i) => i - 1);
  const heap = createHeap();
  const offer = (left: number, right: number) => {
    const [a, b] = [texts[left], texts[right]];
    if (a === undefined || a === null || b === undefined || b === null) return;
    const rank = ranks.get(`${a}\n${b}`);
    if (rank !== undefined) heap.push({ rank, left, right, pair: `${a}\n${b}` });
  };
  for (let i = 0; i + 1 < pieces.length; i++) offer(i, i + 1);
  for (let found = heap.pop(); found !== undefined; found = heap.pop()) {
    const { left, right, pair } = found;
    if (next[left] !== right || `${texts[left]}\n${texts[right]}` !== pair) continue;
    texts[left] = `${texts[left]}${(texts[right] ?? "").slice(hidden)}`;
    texts[right] = null;
    const after = next[right] ?? pieces.length;
    next[left] = after;
    if (after < pieces.length) previous[after] = left;
    offer(previous[left] ?? -1, left);
    offer(left, after);
  }
  return texts.filter((text) => text !== null);
}

/** The lowest rank first; of one rank the leftmost. */
function createHeap() {
  const items: Candidate[] = [];
  const isBefore = (a: Candidate, b: Candidate) =>
    a.rank < b.rank || (a.rank === b.rank && a.left < b.left);
  const at = (i: number): Candidate => items[i] as Candidate;
  const swap = (i: number, j: number) => {
    const held = at(i);
    items[i] = at(j);
    items[j] = held;
  };
  return {
    push(item: Candidate) {
      items.push(item);
      let i = items.length - 1;
      for (let up = (i - 1) >> 1; i > 0 && isBefore(at(i), at(up)); up = (i - 1) >> 1) {
        swap(i, up);
        i = up;
      }
    },
    pop(): Candidate | undefined {
      const top = items[0];
      const last = items.pop();
      if (last === undefined || items.length === 0) return top;
      items[0] = last;
      for (let i = 0; ; ) {
        const [left, right] = [2 * i + 1, 2 * i + 2];
        let least = i;
        if (left < items.length && isBefore(at(left), at(least))) least = left;
        if (right < items.length && isBefore(at(right), at(least))) least = right;
        if (least === i) return top;
        swap(i, least);
        i = least;
      }
    },
  };
}

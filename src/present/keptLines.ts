/** Which lines of an edited text are still those of the text that was run. */

export interface KeptLines {
  /** Whether nothing has changed. */
  readonly isSame: boolean;
  /** One-based line of the text that was run → its line now; an edited line is not in it. */
  readonly now: ReadonlyMap<number, number>;
  /**
   * Edited lines that stand where as many lines stood before: line before → line now. They are
   * comparable, not equal.
   */
  readonly replaced: ReadonlyMap<number, number>;
}

export function keptLines(before: string, after: string): KeptLines {
  const old = linesOf(before);
  const current = linesOf(after);
  const now = new Map<number, number>();
  const replaced = new Map<number, number>();
  align(old, current, { old: 0, now: 0 }, { old: old.length, now: current.length }, now, replaced);
  const isSame = old.length === current.length && replaced.size === 0 && now.size === old.length;
  return { isSame, now, replaced };
}

const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** A position in both texts, zero-based. */
interface Pair {
  readonly old: number;
  readonly now: number;
}

/** Equal heads and tails first, then what lies between lines that both texts have exactly once. */
function align(
  old: readonly string[],
  current: readonly string[],
  from: Pair,
  to: Pair,
  kept: Map<number, number>,
  replaced: Map<number, number>,
): void {
  const keep = (i: number, j: number) => kept.set(i + 1, j + 1);
  let [start, end] = [from, to];
  while (start.old < end.old && start.now < end.now && old[start.old] === current[start.now]) {
    keep(start.old, start.now);
    start = { old: start.old + 1, now: start.now + 1 };
  }
  while (start.old < end.old && start.now < end.now && old[end.old - 1] === current[end.now - 1]) {
    end = { old: end.old - 1, now: end.now - 1 };
    keep(end.old, end.now);
  }
  if (start.old === end.old || start.now === end.now) return;
  const anchors = uniqueInBoth(old, current, start, end);
  if (anchors.length === 0) {
    if (end.old - start.old !== end.now - start.now) return;
    for (let i = 0; start.old + i < end.old; i++) {
      replaced.set(start.old + i + 1, start.now + i + 1);
    }
    return;
  }
  let last = start;
  for (const anchor of [...anchors, end]) {
    align(old, current, last, anchor, kept, replaced);
    last = anchor;
  }
}

/** Lines that stand once in each part, as the longest sequence that rises in both. */
function uniqueInBoth(
  old: readonly string[],
  current: readonly string[],
  start: Pair,
  end: Pair,
): Pair[] {
  const placesNow = uniquePlaces(current, start.now, end.now);
  const pairs: Pair[] = [];
  for (const [line, place] of uniquePlaces(old, start.old, end.old)) {
    const there = placesNow.get(line);
    if (line.trim() !== "" && there !== undefined) pairs.push({ old: place, now: there });
  }
  return longestRising(pairs.sort((a, b) => a.old - b.old));
}

function uniquePlaces(lines: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (let i = from; i < to; i++) {
    const line = lines[i] ?? "";
    if (places.has(line)) repeated.add(line);
    places.set(line, i);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** Patience sorting: each pile's top remembers the top of the pile before it. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly before: Link | undefined;
  }
  const tops: Link[] = [];
  for (const pair of pairs) {
    const found = tops.findIndex((top) => top.pair.now > pair.now);
    const pile = found < 0 ? tops.length : found;
    tops[pile] = { pair, before: tops[pile - 1] };
  }
  const chain: Pair[] = [];
  for (let link = tops.at(-1); link !== undefined; link = link.before) chain.push(link.pair);
  return chain.reverse();
}

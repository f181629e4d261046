/**
 * The order in which PyTorch leaves equal numbers. It sorts by C++'s standard library, whose
 * algorithms (introsort, introselect, heaps, as libstdc++ has them) move equals about; a router that
 * starts at zero sends every token to what they find first. Of places, `before` compares two.
 */
export type Before = (a: number, b: number) => boolean;

/** Up to so many are inserted one by one, which keeps equals in order. */
const fewest = 16;

/** All n places: what `sort` gives where it need not be stable. */
export function sortedPlaces(n: number, before: Before): number[] {
  const places = allPlaces(n);
  sortRange(places, 0, n, before);
  return places;
}

/** The first k of n places in order, as topk finds them. */
export function firstPlaces(n: number, k: number, before: Before): number[] {
  const places = allPlaces(n);
  if (k * 64 <= n) {
    selectByHeap(places, 0, k, n, before);
    sortHeap(places, 0, k, before);
  } else {
    select(places, k - 1, before);
    sortRange(places, 0, k - 1, before);
  }
  return places.slice(0, k);
}

/** The place of the k-th, counted from 0, as kthvalue's own quickselect finds it. */
export function kthPlace(n: number, k: number, before: Before): number {
  const places = allPlaces(n);
  const after = (a: number, b: number) => before(at(places, b), at(places, a));
  let [left, right] = [0, n - 1];
  while (left < right) {
    if (right === left + 1) {
      if (after(left, right)) swap(places, left, right);
      break;
    }
    swap(places, left + ((right - left) >> 1), left + 1);
    if (after(left + 1, right)) swap(places, left + 1, right);
    if (after(left, right)) swap(places, left, right);
    if (after(left + 1, left)) swap(places, left + 1, left);
    const [low, high] = meet(left, right);
    swap(places, left, high);
    if (high <= k) left = low;
    if (high >= k) right = high - 1;
  }
  return at(places, k);

  /** Where the two sides of the pivot at `left` meet. */
  function meet(left: number, right: number): [number, number] {
    let [low, high] = [left + 1, right];
    for (;;) {
      do low++;
      while (after(left, low));
      do high--;
      while (after(high, left));
      if (high < low) return [low, high];
      swap(places, low, high);
    }
  }
}

const allPlaces = (n: number): number[] => Array.from({ length: n }, (_, place) => place);

const at = (places: readonly number[], index: number): number => places[index] as number;

function swap(places: number[], a: number, b: number): void {
  [places[a], places[b]] = [at(places, b), at(places, a)];
}

/** How often a range may be parted before heaps take over. */
const deepest = (n: number): number => 2 * Math.floor(Math.log2(Math.max(n, 1)));

function sortRange(places: number[], first: number, last: number, before: Before): void {
  partAll(places, first, last, deepest(last - first), before);
  insertAll(places, first, last, before);
}

function partAll(
  places: number[],
  first: number,
  last: number,
  depth: number,
  before: Before,
): void {
  let [end, left] = [last, depth];
  while (end - first > fewest) {
    if (left === 0) {
      selectByHeap(places, first, end, end, before);
      sortHeap(places, first, end, before);
      return;
    }
    left -= 1;
    const cut = partition(places, first, end, before);
    partAll(places, cut, end, left, before);
    end = cut;
  }
}

/** Moves the place that belongs at `nth` there. */
function select(places: number[], nth: number, before: Before): void {
  let [first, last, depth] = [0, places.length, deepest(places.length)];
  while (last - first > 3) {
    if (depth === 0) {
      selectByHeap(places, first, nth + 1, last, before);
      swap(places, first, nth);
      return;
    }
    depth -= 1;
    const cut = partition(places, first, last, before);
    if (cut <= nth) first = cut;
    else last = cut;
  }
  insertAll(places, first, last, before);
}

function insertAll(places: number[], first: number, last: number, before: Before): void {
  for (let next = first + 1; next < last; next++) {
    const place = at(places, next);
    let hole = next;
    for (; hole > first && before(place, at(places, hole - 1)); hole--)
      places[hole] = at(places, hole - 1);
    places[hole] = place;
  }
}

/** The median of the second, the middle and the last is the pivot; equals on both sides change places. */
function partition(places: number[], first: number, last: number, before: Before): number {
  const middle = first + ((last - first) >> 1);
  swap(places, first, medianOf(places, first + 1, middle, last - 1, before));
  const pivot = at(places, first);
  let [low, high] = [first + 1, last];
  for (;;) {
    while (before(at(places, low), pivot)) low++;
    do high--;
    while (before(pivot, at(places, high)));
    if (low >= high) return low;
    swap(places, low, high);
    low++;
  }
}

function medianOf(places: number[], a: number, b: number, c: number, before: Before): number {
  const isBefore = (x: number, y: number) => before(at(places, x), at(places, y));
  if (isBefore(a, b)) return isBefore(b, c) ? b : isBefore(a, c) ? c : a;
  return isBefore(a, c) ? a : isBefore(b, c) ? c : b;
}

/** A heap of the range up to `middle`, whose top is the last of them; what belongs in it is exchanged. */
function selectByHeap(
  places: number[],
  first: number,
  middle: number,
  last: number,
  before: Before,
): void {
  const length = middle - first;
  for (let parent = Math.floor((length - 2) / 2); parent >= 0; parent--)
    sink(places, first, parent, length, at(places, first + parent), before);
  for (let next = middle; next < last; next++)
    if (before(at(places, next), at(places, first))) pop(places, first, middle, next, before);
}

function sortHeap(places: number[], first: number, last: number, before: Before): void {
  for (let end = last - 1; end > first; end--) pop(places, first, end, end, before);
}

/** The top goes to `to`, whose place goes into the heap. */
function pop(places: number[], first: number, last: number, to: number, before: Before): void {
  const place = at(places, to);
  places[to] = at(places, first);
  sink(places, first, 0, last - first, place, before);
}

/** A place falls from `from` to the bottom along the later children, and rises again to where it belongs. */
function sink(
  places: number[],
  first: number,
  from: number,
  length: number,
  place: number,
  before: Before,
): void {
  let hole = from;
  const fill = (by: number) => {
    places[first + hole] = at(places, first + by);
    hole = by;
  };
  while (2 * hole + 2 < length) {
    const right = 2 * hole + 2;
    fill(before(at(places, first + right), at(places, first + right - 1)) ? right - 1 : right);
  }
  if (2 * hole + 2 === length) fill(2 * hole + 1);
  while (hole > from) {
    const parent = (hole - 1) >> 1;
    if (!before(at(places, first + parent), place)) break;
    fill(parent);
  }
  places[first + hole] = place;
}

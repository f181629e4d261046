/**
 * Which of n equal numbers topk gives: PyTorch leaves the choice to C++'s standard library, whose
 * algorithms move equals about. A router that starts at zero sends every token to these.
 */

/** The places of the first k, in PyTorch's order. */
export function orderOfEquals(n: number, k: number): number[] {
  const places = Array.from({ length: n }, (_, at) => at);
  if (k * 64 <= n) sortFirst(places, k);
  else {
    select(places, k - 1);
    sort(places, 0, k - 1);
  }
  return places.slice(0, k);
}

function swap(places: number[], a: number, b: number): void {
  [places[a], places[b]] = [places[b] as number, places[a] as number];
}

/** Quickselect, down to three numbers. */
function select(places: number[], nth: number): void {
  let [first, last] = [0, places.length];
  while (last - first > 3) {
    const cut = partition(places, first, last);
    if (cut <= nth) first = cut;
    else last = cut;
  }
}

/** Quicksort, down to 16 numbers; the insertions that follow move no equals. */
function sort(places: number[], first: number, last: number): void {
  for (let end = last; end - first > 16; ) {
    const cut = partition(places, first, end);
    sort(places, cut, end);
    end = cut;
  }
}

/** The middle one is the pivot; equals on both sides of it change places. */
function partition(places: number[], first: number, last: number): number {
  swap(places, first, first + Math.floor((last - first) / 2));
  let [low, high] = [first + 1, last - 1];
  for (; low < high; low++, high--) swap(places, low, high);
  return low;
}

/** A heap of the first `count`, taken apart. */
function sortFirst(places: number[], count: number): void {
  for (let parent = Math.floor((count - 2) / 2); parent >= 0; parent--)
    sink(places, parent, count, places[parent] as number);
  for (let last = count - 1; last > 0; last--) {
    const place = places[last] as number;
    places[last] = places[0] as number;
    sink(places, 0, last, place);
  }
}

/** Among equals the right child rises, and what sinks ends at the bottom. */
function sink(places: number[], from: number, length: number, place: number): void {
  let hole = from;
  while (hole < Math.floor((length - 1) / 2)) {
    const child = 2 * (hole + 1);
    places[hole] = places[child] as number;
    hole = child;
  }
  if (length % 2 === 0 && hole === (length - 2) / 2) {
    const child = 2 * hole + 1;
    places[hole] = places[child] as number;
    hole = child;
  }
  places[hole] = place;
}

/** Orders among the elements of one line. */

/** The place of the element that `beats` all others. */
export function argumentOf(
  line: ArrayLike<number>,
  lastOfEquals: boolean,
  beats: (x: number, best: number) => boolean,
): number {
  let at = 0;
  for (let k = 1; k < line.length; k++) {
    const [x, best] = [line[k] as number, line[at] as number];
    if (beats(x, best) || (lastOfEquals && x === best)) at = k;
  }
  return at;
}

/** The places of the `count` largest (or smallest) elements, best first; of equals the first. */
export function topPlaces(line: ArrayLike<number>, count: number, largest: boolean): number[] {
  const places = Array.from({ length: line.length }, (_, k) => k);
  const sign = largest ? -1 : 1;
  const order = (a: number, b: number) => sign * ((line[a] as number) - (line[b] as number));
  return places.sort((a, b) => order(a, b) || a - b).slice(0, count);
}

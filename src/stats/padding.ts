/** Tokens that fill up shorter samples, and what masks do with them: read from the inputs' numbers. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { isFloat, type Numbers, numel } from "../graph/tensor.ts";
import type { TracedInput, TracedProgram } from "../trace/program.ts";
import type { FoundAttention } from "./foundAttention.ts";
import { numbersFrom } from "./hostNumbers.ts";
import { modelInputs } from "./modelInputs.ts";
import { idsMadeBy } from "./producers.ts";
import { dependents } from "./rerun.ts";
import type { Structure } from "./structure.ts";
import { crossEntropyIn, targetNumbers } from "./targets.ts";

/** One token at the ends, or the beginnings, of samples of different lengths, and nowhere else. */
export interface Pads {
  readonly token: number;
  readonly count: number;
  readonly samples: number;
  readonly places: number;
  /** By sample and place. */
  readonly isPad: readonly boolean[];
}

export interface PaddedAttention {
  readonly attention: FoundAttention;
  readonly input: TracedInput;
  readonly pads: Pads;
  /**
   * `flipped`: tokens are hidden and padding is not. `queries`: rows of padding are hidden in place of its
   * columns. `seen`: padding is not hidden from tokens.
   */
  readonly fault: "flipped" | "queries" | "seen";
  /** What applied the mask; null: nothing hides anything. */
  readonly call: TorchCall | null;
  /** Pairs of a token and padding that the token gives weight to. */
  readonly pairs: number;
}

export interface PaddedInput {
  readonly input: TracedInput;
  readonly pads: Pads;
  /** Values that depend on the input. */
  readonly reached: ReadonlySet<number>;
}

export interface Padding {
  readonly inputs: readonly PaddedInput[];
  readonly attention: readonly PaddedAttention[];
  /** Whether some attention of the model hides padding. */
  readonly isHidden: boolean;
  /** Padding among the loss's targets that it does not ignore. */
  readonly targets: Pads | null;
}

const fewestPads = 4;
/** Larger maps are not looked at. */
const scoreLimit = 2 ** 18;
/** A score so far below another has no weight. */
const far = 1e3;

export function findPadding(program: TracedProgram, structure: Structure): Padding {
  const { nodes, attention } = structure;
  const { makers } = structure.producers;
  const padded = modelInputs(program).flatMap((input): PaddedInput[] => {
    const { shape, dtype } = input.value;
    const isTokens = dtype === "int64" && shape.length === 2;
    const data = isTokens ? numbersFrom(input.value, nodes, makers) : null;
    const pads = data && padsIn(data, shape);
    return pads ? [{ input, pads, reached: reachedFrom(nodes, input.value) }] : [];
  });
  const ofInputs = padded.map(({ pads }) => pads);
  const targets = targetPads(program, structure, ofInputs);
  if (padded.length === 0) return { inputs: [], attention: [], isHidden: false, targets };
  let isHidden = false;
  const found = attention.flatMap((one): PaddedAttention[] => {
    const [query, key] = one.operands;
    const keys = one.softmaxSize;
    if (one.softmaxOver !== "keys" || !query || !key) return [];
    const fits = padded.filter(({ pads, reached }) => pads.places === keys && reached.has(key.id));
    const [only] = fits;
    if (!only || fits.length > 1) return [];
    const seen = maskSight(one, nodes, makers);
    if (!seen || seen.samples % only.pads.samples !== 0) return [];
    const isSelf = seen.queries === keys && only.reached.has(query.id);
    const told = judge(seen, only.pads, isSelf);
    if (told === null) isHidden = true;
    return told ? [{ attention: one, input: only.input, pads: only.pads, ...told }] : [];
  });
  return { inputs: padded, attention: found, isHidden, targets };
}

const reachedFrom = (nodes: readonly Node[], value: Value): ReadonlySet<number> =>
  idsMadeBy(dependents(nodes, value));

/** null: no padding, or none for certain. */
export function padsIn(data: Numbers, [samples = 1, places = 1]: readonly number[]): Pads | null {
  const at = (sample: number, place: number): number => Number(data[sample * places + place]);
  for (const isBehind of [true, false]) {
    const ends = Array.from({ length: samples }, (_, sample) =>
      at(sample, isBehind ? places - 1 : 0),
    );
    for (const token of new Set(ends)) {
      const runs = ends.map((_, sample) => {
        let run = 0;
        while (run < places && at(sample, isBehind ? places - 1 - run : run) === token) run++;
        return run;
      });
      const count = runs.reduce((sum, run) => sum + run, 0);
      const all = Array.from(data, Number).filter((one) => one === token).length;
      const isUneven = new Set(runs).size > 1;
      if (count < fewestPads || all !== count || !isUneven || count === samples * places) continue;
      const isPad = runs.flatMap((run) =>
        Array.from({ length: places }, (_, place) =>
          isBehind ? place >= places - run : place < run,
        ),
      );
      return { token, count, samples, places, isPad };
    }
  }
  return null;
}

export interface MaskSight {
  readonly samples: number;
  readonly queries: number;
  readonly keys: number;
  readonly call: TorchCall | null;
  /** Whether the mask puts all keys of a query far below. */
  isHidden(sample: number, query: number): boolean;
  /** In any head. */
  isSeen(sample: number, query: number, key: number): boolean;
}

/** What all masks leave; null: one of them is not known. */
export function maskSight(
  { treatments, logits }: FoundAttention,
  nodes: readonly Node[],
  makers: ReadonlyMap<number, Node>,
): MaskSight | null {
  const shape = logits.shape;
  const [queries = 1, keys = 1] = shape.slice(-2);
  const total = numel(shape);
  if (shape.length < 3 || total > scoreLimit) return null;
  const added = new Float64Array(total);
  let call: TorchCall | null = null;
  for (const { node, scores } of treatments) {
    const term = termOf(node, scores);
    if (term === null) continue;
    const numbers = term.values.map((value) => numbersFrom(value, nodes, makers));
    const [first, second] = numbers;
    if (!first || (term.values.length > 1 && !second)) return null;
    const [of, by] = term.values.map((value) => indexIn(value.shape, shape));
    call ??= node.origin.call;
    for (let at = 0; at < total; at++) {
      const number = Number(first[of?.(at) ?? 0]);
      added[at] =
        (added[at] as number) +
        (second ? ((number !== 0) === term.isFilled ? Number(second[by?.(at) ?? 0]) : 0) : number);
    }
  }
  const heads = shape.slice(1, -2).reduce((product, size) => product * size, 1);
  const samples = shape[0] ?? 1;
  const most = new Float64Array(total / keys).fill(Number.NEGATIVE_INFINITY);
  for (let at = 0; at < total; at++) {
    const row = Math.floor(at / keys);
    most[row] = Math.max(most[row] as number, added[at] as number);
  }
  const isAny = (sample: number, query: number, holds: (row: number) => boolean): boolean => {
    for (let head = 0; head < heads; head++)
      if (holds((sample * heads + head) * queries + query)) return true;
    return false;
  };
  const isHidden = (sample: number, query: number): boolean =>
    !isAny(sample, query, (row) => (most[row] as number) > -far);
  const isSeen = (sample: number, query: number, key: number): boolean =>
    isAny(sample, query, (row) => {
      const number = added[row * keys + key] as number;
      return number > -Infinity && number > (most[row] as number) - far;
    });
  return { samples, queries, keys, call, isHidden, isSeen };
}

/** What a node adds to the scores, or (Where) puts in their place; null: nothing of a mask. */
function termOf({ op, inputs }: Node, scores: Value) {
  const [condition, yes, no] = inputs;
  if (op === "Where" && condition && yes && no) {
    const fill = yes === scores ? no : yes;
    return { values: [condition, fill], isFilled: fill === yes };
  }
  const other = inputs.find((input) => input && input !== scores);
  if (op === "Add" && other) return { values: [other], isFilled: true };
  return null;
}

/** Where an element of `to` stands in a value that is broadcast to it. */
function indexIn(from: readonly number[], to: readonly number[]): (at: number) => number {
  const offset = to.length - from.length;
  return (at) => {
    let rest = at;
    let index = 0;
    let stride = 1;
    for (let axis = to.length - 1; axis >= 0; axis--) {
      const size = to[axis] ?? 1;
      const own = axis >= offset ? (from[axis - offset] ?? 1) : 1;
      if (own > 1) index += (rest % size) * stride;
      stride *= own;
      rest = Math.floor(rest / size);
    }
    return index;
  };
}

/** null: padding is hidden from all tokens. */
function judge(
  { samples, queries, keys, call, isHidden, isSeen }: MaskSight,
  { isPad, samples: own }: Pads,
  isSelf: boolean,
): Pick<PaddedAttention, "fault" | "call" | "pairs"> | null {
  const per = samples / own;
  let pairs = 0;
  let tokensHidden = 0;
  let tokensSeen = 0;
  let rowsHidden = 0;
  let padRows = 0;
  for (let sample = 0; sample < samples; sample++) {
    const padOf = (place: number): boolean =>
      isPad[Math.floor(sample / per) * keys + place] === true;
    if (!Array.from({ length: keys }, (_, key) => key).some(padOf)) continue;
    for (let query = 0; query < queries; query++) {
      const isPadRow = isSelf && padOf(query);
      if (isPadRow) padRows++;
      if (isPadRow && isHidden(sample, query)) rowsHidden++;
      for (let key = 0; key < keys && !isPadRow; key++) {
        const seen = isSeen(sample, query, key);
        if (padOf(key)) pairs += seen ? 1 : 0;
        else if (seen) tokensSeen++;
        else tokensHidden++;
      }
    }
  }
  if (pairs === 0) return tokensSeen === 0 ? { fault: "flipped", call, pairs } : null;
  if (tokensSeen === 0 && tokensHidden > 0) return { fault: "flipped", call, pairs };
  if (padRows > 0 && rowsHidden === padRows) return { fault: "queries", call, pairs };
  return { fault: "seen", call, pairs };
}

/** Whether the same token stands at all of these places. */
const isAt = (numbers: Numbers, { token, isPad }: Pads): boolean =>
  numbers.length === isPad.length &&
  isPad.every((isOne, at) => !isOne || Number(numbers[at]) === token);

function targetPads(
  program: TracedProgram,
  structure: Structure,
  padded: readonly Pads[],
): Pads | null {
  const entropy = crossEntropyIn(structure);
  const numbers = targetNumbers(structure);
  const first = modelInputs(program).find(({ value }) => value.shape.length >= 2)?.value.shape[0];
  if (!entropy || !numbers || !first || numbers.length % first !== 0) return null;
  const shape = [first, numbers.length / first];
  const pads = padsIn(numbers, shape) ?? padded.find((own) => isAt(numbers, own)) ?? null;
  // Rows of shares that are all 0 count nothing.
  if (entropy.shares !== null && pads?.token === -1) return null;
  const own = structure.nodes.filter(({ origin }) => origin.call?.id === entropy.call.id);
  const isCompared = own.some(
    ({ op, inputs }) =>
      op === "Equal" && inputs.some((value) => Number(value?.data?.[0]) === pads?.token),
  );
  // What counts, where it was known before the step: 0 for all that is ignored.
  const isCounted = own
    .flatMap(({ inputs }) => inputs)
    .every((value) => {
      const data = value !== null && isFloat(value.dtype) ? value.data : null;
      if (!pads || data?.length !== pads.isPad.length) return true;
      return pads.isPad.some((isPad, at) => isPad && Number(data[at]) !== 0);
    });
  return isCompared || !isCounted ? null : pads;
}

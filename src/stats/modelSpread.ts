/** What a change of one input row changes everywhere in a model: its forward pass, run twice. */
import type { Graph, Value } from "../graph/graph.ts";
import { isGraph } from "../graph/onnxProto.ts";
import { prune, valuesUsedBy } from "../graph/prune.ts";
import { allocate, isFloat, type Numbers, numel } from "../graph/tensor.ts";
import { createEmitter, type Emitter } from "../ops/emitter.ts";
import type { TracedInput, TracedProgram, TracedValue } from "../trace/program.ts";
import { numbersFrom } from "./hostNumbers.ts";
import { modelInputs } from "./modelInputs.ts";
import { padsIn } from "./padding.ts";
import { idsMadeBy } from "./producers.ts";
import type { Results } from "./readings.ts";
import { dependents, rerun } from "./rerun.ts";
import type { Structure } from "./structure.ts";
import { tableAxis } from "./tableAxis.ts";
import { targetNumbers } from "./targets.ts";

export interface ModelSpread {
  readonly input: TracedInput;
  /** Sizes of the input's first two axes. */
  readonly size: readonly [number, number];
  /** Where the changed row stands: which entry of the first axis, and which place of the second. */
  readonly entry: number;
  readonly at: number;
  /** How many places of the second axis the model reads. */
  readonly places: number;
  /** Results of torch calls that depend on the input, in their order. */
  readonly seen: readonly Change[];
  /** What the model returned; null: nothing of the input's first axis. */
  readonly result: Change | null;
  /** The input's tokens and the numbers of the only cross-entropy's classes; null: none such. */
  readonly tokens: Numbers | null;
  readonly targets: Numbers | null;
}

export interface Change {
  readonly traced: TracedValue | null;
  readonly shape: readonly number[];
  /** How many other entries of the first axis changed. */
  readonly others: number;
  /** In the changed entry: how many places of the second axis before and after changed; null: no such axis. */
  readonly before: number | null;
  readonly after: number | null;
  /** Whether the changed row's own place, or entry, is another one. */
  readonly own: boolean;
}

export interface ModelSpreadPlan {
  readonly graph: Graph;
  read(results: Results): ModelSpread[];
}

/** What is larger costs more than the question is worth. */
const nodeLimit = 3000;
const elementLimit = 2 ** 24;
const parameterLimit = 2 ** 25;
const valueLimit = 160;
const inputLimit = 2;

/** null: no input has two axes of different sizes, or the model is too large. */
export function planModelSpread(
  structure: Structure,
  program: TracedProgram,
): ModelSpreadPlan | null {
  const { nodes } = structure;
  const asked = modelInputs(program).filter(isAsked).slice(0, inputLimit);
  const weights = program.graph.inputs.reduce((sum, { shape }) => sum + numel(shape), 0);
  if (nodes.length > nodeLimit || weights > parameterLimit || asked.length === 0) return null;
  const emit = createEmitter({ mayFold: () => false });
  emit.gradMode = false;
  emit.nodes.push(...nodes);
  const plans = asked.flatMap((input) => {
    const plan = planOne(emit, structure, program, input);
    return plan === null ? [] : [plan];
  });
  if (plans.length === 0) return null;
  const targets = plans.some(({ input }) => input.dtype === "int64")
    ? targetNumbers(structure)
    : null;
  const outputs = plans.flatMap(({ looks }) => looks.map(({ output }) => output));
  const pruned = prune({ inputs: program.graph.inputs, nodes: emit.nodes, outputs });
  const used = new Set(pruned.nodes.flatMap(valuesUsedBy));
  return {
    graph: { ...pruned, inputs: pruned.inputs.filter((value) => used.has(value)) },
    read: (results) => {
      const numbers = (value: Value | null) => (value && results.get(value.id)?.data) ?? null;
      return plans.map(({ seen, result, tokens, ...plan }) => {
        const changeIn = (look: Look) => readChange(look, numbers(look.output), plan);
        return {
          ...{ input: plan.input, size: plan.size, entry: plan.entry, at: plan.at },
          places: plan.part.places,
          seen: seen.map(changeIn),
          result: result && changeIn(result),
          tokens: targets && tokens,
          targets: tokens && targets,
        };
      });
    },
  };
}

/** Tokens [a, b] and numbers [a, b, …]; equal sizes would not tell one axis from the other. */
function isAsked({ value: { shape, dtype } }: TracedInput): boolean {
  const [a = 1, b = 1] = shape;
  if (a < 2 || b < 2 || a === b) return false;
  return (dtype === "int64" && shape.length === 2) || (dtype === "float32" && shape.length >= 3);
}

interface Look {
  readonly traced: TracedValue | null;
  readonly shape: readonly number[];
  readonly output: Value;
}

function planOne(emit: Emitter, structure: Structure, program: TracedProgram, input: TracedInput) {
  const [a = 1, b = 1] = input.shape;
  const part = partRead(structure, input);
  // Of samples one of the first half: what runs on to the next under a causal mask shows there. Along
  // positions the last, which no causal mask lets others see.
  const entry = tableAxis(structure, a, part.places)?.axis === 1 ? Math.floor((a - 1) / 2) : a - 1;
  const at = placeToChange(structure, input, entry, part);
  const dependent = dependents(structure.nodes, input.value);
  const elements = dependent
    .flatMap(({ outputs }) => outputs)
    .reduce((sum, { shape }) => sum + numel(shape), 0);
  const isPlain = dependent.every(({ attrs }) => !Object.values(attrs).some(isGraph));
  if (elements > elementLimit || !isPlain) return null;
  const changed = changeOf(emit, input.value, entry, at);
  const copies = rerun(emit, dependent, input.value, changed);
  const [mixed] = structure.attention[0]?.mixing.outputs ?? [];
  const attended = idsMadeBy(mixed ? dependents(structure.nodes, mixed) : []);
  const lookAt = (value: Value, traced: TracedValue | null): Look[] => {
    const copy = copies.get(value.id);
    const { shape } = value;
    if (!copy || !isFloat(value.dtype) || shape.length < 2 || shape[0] !== a) return [];
    // The classes may be as many as what is left of the positions.
    const isEither = part.places < b && shape[1] === shape.at(-1) && shape[1] === part.places;
    const places = isEither ? null : placesAxis(structure, value, part.places);
    const rest = shape.map((_, axis) => axis).filter((axis) => axis > 0 && axis !== places);
    const difference = emit.op("Abs", [emit.op("Sub", [value, copy])]);
    const output = emit.op("ReduceMax", [difference, emit.ints(rest)], { keepdims: 0 });
    return [{ traced, shape, output }];
  };
  const seen = program.values
    .flatMap((traced) => lookAt(traced.value, traced))
    .slice(0, valueLimit);
  const root = program.modules.find(({ path }) => path === "");
  const returned = (root?.calls[0]?.outputs ?? []).flatMap(({ value }) => lookAt(value, null));
  const made = seen.filter(({ traced }) => traced && attended.has(traced.value.id));
  const last = made.findLast(({ output }) => output.shape.length === 2) ?? made.at(-1);
  const result = returned[0] ?? (last ? { ...last, traced: null } : null);
  const { nodes, producers } = structure;
  const isTokens = input.dtype === "int64";
  const tokens = isTokens ? numbersFrom(input.value, nodes, producers.makers) : null;
  const size = [a, b] as const;
  const looks = result ? [...seen, result] : seen;
  return { input, size, entry, at, part, tokens, seen, result, looks };
}

/**
 * The one axis between the first and the last that is as long as the input's second; null: none, or it
 * is not known which. The last has features, which may be as many.
 */
function placesAxis({ attention }: Structure, { id, shape }: Value, length: number): number | null {
  if (shape.length < 3) return null;
  if (shape[1] === length) return 1;
  const areScores = attention.some(
    ({ product, treatments }) =>
      product.outputs[0]?.id === id || treatments.some(({ node }) => node.outputs[0]?.id === id),
  );
  const fit = shape.flatMap((size, axis) =>
    axis > 0 && axis < shape.length - 1 && size === length ? [axis] : [],
  );
  return areScores || fit.length !== 1 ? null : (fit[0] ?? null);
}

interface Part {
  readonly start: number;
  readonly places: number;
}

/** What of the tokens a table's rows are taken for: `idx[:, :-1]`, or all. */
function partRead({ producers: { readersOf } }: Structure, { value }: TracedInput): Part {
  const places = value.shape[1] ?? 1;
  const isRead = (tokens: Value): boolean =>
    readersOf(tokens).some(({ op, inputs }) => op === "Gather" && inputs[1] === tokens);
  const parts = readersOf(value).flatMap(({ op, inputs: [, starts, , axes], outputs: [part] }) => {
    const isCut = op === "Slice" && axes?.data?.length === 1 && Number(axes.data[0]) === 1;
    const length = part?.shape[1] ?? 1;
    if (!isCut || !part || length < 2 || !isRead(part)) return [];
    const first = Number(starts?.data?.[0]);
    return [{ start: first < 0 ? first + places : first, places: length }];
  });
  const [only] = parts;
  return only && parts.length === 1 && !isRead(value) ? only : { start: 0, places };
}

/** Halfway through the entry, or through what of it is no padding. */
function placeToChange(
  { nodes, producers }: Structure,
  { value }: TracedInput,
  entry: number,
  part: Part,
): number {
  const b = value.shape[1] ?? 1;
  const isTokens = value.dtype === "int64" && value.shape.length === 2;
  const data = isTokens ? numbersFrom(value, nodes, producers.makers) : null;
  const isPad = data && padsIn(data, value.shape)?.isPad.slice(entry * b, (entry + 1) * b);
  const places = Array.from({ length: part.places }, (_, place) => part.start + place).filter(
    (place) => !isPad?.[place],
  );
  return places[Math.floor(places.length / 2)] ?? part.start;
}

/** Another token, or other numbers, in one row. */
function changeOf(emit: Emitter, value: Value, entry: number, at: number): Value {
  const [a = 1, b = 1] = value.shape;
  const row = entry * b + at;
  const { shape } = value;
  if (value.dtype === "int64") {
    const mask = allocate("bool", a * b);
    mask[row] = 1;
    const isRow = emit.constant({ dtype: "bool", shape, data: mask });
    const axes = emit.ints([0, 1]);
    const largest = emit.op("ReduceMax", [value, axes], { keepdims: 1 });
    const least = emit.op("ReduceMin", [value, axes], { keepdims: 1 });
    const other = emit.op("Where", [emit.op("Equal", [value, largest]), least, largest]);
    return emit.op("Where", [isRow, other, value]);
  }
  const width = numel(shape.slice(2));
  const more = allocate("float32", numel(shape));
  for (let i = 0; i < width; i++) more[row * width + i] = 1 + (i % 3);
  return emit.op("Add", [value, emit.constant({ dtype: "float32", shape, data: more })]);
}

/** Rows that do not depend on a change come out bit for bit, or nearly: sums are cut alike. */
const tolerance = 1e-5;

function readChange(
  { traced, shape, output }: Look,
  changes: Numbers | null,
  {
    size: [a],
    entry: changed,
    ...plan
  }: Pick<ModelSpread, "size" | "entry" | "at"> & {
    readonly part: Part;
  },
): Change {
  const hasPlaces = output.shape.length === 2;
  const at = plan.at - plan.part.start;
  const places = hasPlaces ? plan.part.places : 1;
  const isChanged = (entry: number, place: number): boolean =>
    changes !== null && (changes[entry * places + place] as number) > tolerance;
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  const within = (from: number, to: number): number =>
    range(from, to).filter((place) => isChanged(changed, place)).length;
  const others = range(0, a).filter(
    (entry) => entry !== changed && range(0, places).some((place) => isChanged(entry, place)),
  ).length;
  return {
    ...{ traced, shape, others },
    before: hasPlaces ? within(0, at) : null,
    after: hasPlaces ? within(at + 1, places) : null,
    own: isChanged(changed, hasPlaces ? at : 0),
  };
}

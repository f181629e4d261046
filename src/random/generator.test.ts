import { expect, test } from "vitest";
import { invariant } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import type { FillKind, FillParams, Generator, Multinomial } from "./generator.ts";
import {
  bernoulli,
  bernoulliTensor,
  createGenerator,
  decodeState,
  encodeState,
  erfinv,
  multinomial,
  normal,
  plan,
  randperm,
  runFillJob,
  uniform,
} from "./generator.ts";
import type { Program, Step } from "./goldens.ts";
import { goldens, hashOf } from "./goldens.ts";
import { distributions } from "./jobs.ts";

interface Typed {
  readonly dtype: FillParams["uniform"]["dtype"];
}

const isFill = (call: string): call is FillKind => call in distributions;

/** What the call returns in PyTorch; some take the result of the call before. */
function draw(gen: Generator, { call, n, params }: Step, last: Numbers): Numbers {
  if (call === "randperm") return randperm(gen, n);
  if (call === "multinomial") {
    const options = params as Omit<Multinomial, "weights" | "samples">;
    return multinomial(gen, { ...options, weights: last, samples: n });
  }
  const { dtype } = params as Typed;
  const out = allocate(dtype, n);
  if (call === "bernoulliTensor") bernoulliTensor(gen, out, last, dtype);
  else if (call === "dropout") {
    const kept = 1 - (params as { p: number }).p;
    bernoulli(gen, out, kept);
    const scale = allocate(dtype, 1);
    uniform(createGenerator(0), scale, 1 / kept, 1 / kept, dtype);
    for (let i = 0; i < n; i++) out[i] = (out[i] as number) * (scale[0] as number);
  } else {
    invariant(isFill(call), `no fill for '${call}'`);
    distributions[call].fill(gen, out, params as never);
  }
  return out;
}

const nameOf = ({ seed, steps }: Program): string =>
  `seed ${seed}: ${steps.map(({ call, n, params }) => `${call} ${n} ${JSON.stringify(params)}`)}`;

/** What differs from PyTorch, in words; the golden's numbers at most three units off in float64. */
function compare(step: Step, numbers: Numbers): string | null {
  if (step.hash !== undefined) return hashOf(numbers) === step.hash ? null : "other bits";
  const isOff = (x: number, i: number): boolean =>
    Math.abs(x - (numbers[i] as number)) > 3 * 2 ** -52 * Math.max(Math.abs(x), 2 ** -10);
  return step.first?.some(isOff) ? "other numbers" : null;
}

function follow(gen: Generator): string[] {
  const [uniforms, normals] = [new Float32Array(3), new Float32Array(3)];
  uniform(gen, uniforms, 0, 1, "float32");
  normal(gen, normals, 0, 1, "float32");
  return [hashOf(uniforms), hashOf(normals)];
}

test("draws PyTorch's numbers, and goes on where PyTorch does", () => {
  const wrong: string[] = [];
  for (const program of goldens.programs) {
    const gen = createGenerator(program.seed);
    let last: Numbers = new Float32Array(0);
    for (const step of program.steps) {
      last = draw(gen, step, last);
      const difference = compare(step, last);
      if (difference !== null) wrong.push(`${difference} in ${step.call} of ${nameOf(program)}`);
    }
    if (follow(gen).join() !== program.follow.join())
      wrong.push(`other draws after ${nameOf(program)}`);
  }
  expect(goldens.programs.length).toBeGreaterThan(600);
  expect(wrong).toEqual([]);
});

test("plans fills that give the same numbers later, in any order, or are never run", () => {
  const wrong: string[] = [];
  for (const program of goldens.programs) {
    if (!program.steps.every(({ call }) => isFill(call))) continue;
    const gen = createGenerator(program.seed);
    const jobs = program.steps.map((step) => ({
      step,
      job: plan(gen, step.call as FillKind, step.n, step.params as never),
    }));
    if (follow(gen).join() !== program.follow.join())
      wrong.push(`other draws after ${nameOf(program)}`);
    for (const { step, job } of jobs.reverse()) {
      const out = allocate((step.params as Typed).dtype, step.n);
      runFillJob(job, out);
      const difference = compare(step, out);
      if (difference !== null) wrong.push(`${difference} in ${step.call} of ${nameOf(program)}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("initialises modules as PyTorch does", () => {
  const gen = createGenerator(0);
  const linear = (inputs: number, outputs: number): string[] => {
    const [weight, bias] = [new Float32Array(inputs * outputs), new Float32Array(outputs)];
    // kaiming_uniform_ with a = √5: gain √(2 / 6), bound √3 · gain / √inputs
    const bound = Math.sqrt(3) * (Math.sqrt(2 / 6) / Math.sqrt(inputs));
    uniform(gen, weight, -bound, bound, "float32");
    uniform(gen, bias, -1 / Math.sqrt(inputs), 1 / Math.sqrt(inputs), "float32");
    return [hashOf(weight), hashOf(bias)];
  };
  expect(linear(5, 3)).toEqual(goldens.modules.linear);
  expect(linear(768, 100)).toEqual(goldens.modules.wide);
  const embedding = new Float32Array(77 * 16);
  normal(gen, embedding, 0, 1, "float32");
  expect([hashOf(embedding)]).toEqual(goldens.modules.embedding);
});

test("inverts the error function", () => {
  const { arguments: inputs, values } = goldens.erfinv;
  const ours = inputs.map((y) => Math.fround(erfinv(y)));
  expect(ours.filter((x, i) => Math.abs(x - (values[i] ?? 0)) > 2 ** -23 * Math.abs(x))).toEqual(
    [],
  );
  expect([erfinv(0), erfinv(1), erfinv(-1), erfinv(1.5)]).toEqual([0, Infinity, -Infinity, NaN]);
});

test("writes the state as the bytes of torch.get_rng_state, and reads it", () => {
  const gen = createGenerator(7);
  normal(gen, new Float32Array(3), 0, 1, "float32");
  const bytes = encodeState(gen.getState());
  expect(hashOf(bytes)).toBe(goldens.state);
  const copy = createGenerator(0);
  copy.setState(decodeState(bytes));
  expect(follow(copy)).toEqual(follow(gen));
  expect(() => decodeState(new Uint8Array(3))).toThrowErrorMatchingInlineSnapshot(
    `[NormscopeError: Expected a CPUGeneratorImplState of size 5056 but found the input RNG state size to be 3]`,
  );
});

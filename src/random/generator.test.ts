import { expect, test } from "vitest";
import { invariant } from "../errors.ts";
import type { Numbers } from "../graph/tensor.ts";
import { allocate } from "../graph/tensor.ts";
import { distributions } from "./distributions.ts";
import type { FillKind, FillParams, Generator, Multinomial } from "./generator.ts";
import {
  bernoulli,
  bernoulliTensor,
  createGenerator,
  decodeState,
  encodeState,
  erfinv,
  fill,
  multinomial,
  normal,
  plan,
  randperm,
  runFillJob,
  uniform,
} from "./generator.ts";
import type { Program, Step } from "./goldens.ts";
import { goldens, hashOf } from "./goldens.ts";

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
    fill(gen, call, out, params as never);
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

test("refuses the parameters that PyTorch refuses, in its words", () => {
  const gen = createGenerator(0);
  const float = { dtype: "float32" } as const;
  const words = (draw: () => unknown): string => {
    try {
      draw();
      return "";
    } catch (error) {
      return (error as Error).message;
    }
  };
  const weights = (...numbers: number[]) => ({
    ...{ weights: Float32Array.from(numbers), rows: 1, replacement: true },
    ...float,
  });
  const messages = [
    words(() => plan(gen, "uniform", 1, { from: 2, to: 1, ...float })),
    words(() => plan(gen, "uniform", 1, { from: 0, to: Infinity, ...float })),
    words(() => plan(gen, "uniform", 1, { from: NaN, to: 0, ...float })),
    words(() => plan(gen, "uniform", 1, { from: -3e38, to: 3e38, ...float })),
    words(() => plan(gen, "truncNormal", 1, { mean: 0, std: 1, a: 10, b: Infinity, ...float })),
    words(() => plan(gen, "normal", 1, { mean: 0, std: -1, ...float })),
    words(() => plan(gen, "logNormal", 1, { mean: 0, std: 0, ...float })),
    words(() => plan(gen, "truncNormal", 1, { mean: 0, std: 1, a: 2, b: 1, ...float })),
    words(() => plan(gen, "bernoulli", 1, { p: 1.5, ...float })),
    words(() => plan(gen, "exponential", 1, { lambda: 0, ...float })),
    words(() => plan(gen, "cauchy", 1, { median: 0, sigma: 0, ...float })),
    words(() => plan(gen, "geometric", 1, { p: 1, ...float })),
    words(() => plan(gen, "randint", 1, { low: 5, high: 5, dtype: "int64" })),
    words(() => plan(gen, "randint", 1, { low: 0, high: 300, dtype: "uint8" })),
    words(() => plan(gen, "randint", 1, { low: -3, high: 9, dtype: "bool" })),
    words(() => multinomial(gen, { ...weights(1, 2), samples: 0 })),
    words(() => multinomial(gen, { ...weights(1, 2), samples: 3, replacement: false })),
    words(() => multinomial(gen, { ...weights(1, -2), samples: 3 })),
    words(() => multinomial(gen, { ...weights(1, Infinity), samples: 3 })),
    words(() => multinomial(gen, { ...weights(1, NaN), samples: 1 })),
    words(() => multinomial(gen, { ...weights(0, 0), samples: 1 })),
  ];
  expect(messages).toMatchInlineSnapshot(`
    [
      "uniform_ expects to return a [from, to) range, but found from=2 > to=1",
      "to is out of bounds for float",
      "from is out of bounds for float",
      "uniform_ expects to-from <= std::numeric_limits<Float>::max(), but found to=3e+38 and from=-3e+38 which result in to-from to exceed the limit",
      "to is out of bounds for float",
      "normal expects std >= 0.0, but found std -1",
      "log_normal_ expects std > 0.0, but found std=0",
      "uniform_ expects to return a [from, to) range, but found from=2 > to=1",
      "bernoulli_ expects p to be in [0, 1], but got p=1.5",
      "exponential_ expects lambda > 0.0, but found lambda=0",
      "cauchy_ expects sigma > 0.0, but found sigma=0",
      "geometric_ expects p to be in (0, 1), but got p=1",
      "random_ expects 'from' to be less than 'to', but got from=5 >= to=5",
      "to - 1 is out of bounds for unsigned char",
      "from is out of bounds for bool",
      "cannot sample n_sample <= 0 samples",
      "cannot sample n_sample > prob_dist.size(-1) samples without replacement",
      "invalid multinomial distribution (encountering probability entry < 0)",
      "invalid multinomial distribution (encountering probability entry = infinity or NaN)",
      "probability tensor contains either \`inf\`, \`nan\` or element < 0",
      "invalid multinomial distribution (sum of probabilities <= 0)",
    ]
  `);
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

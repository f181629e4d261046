/** Compares a report with PyTorch's numbers and says in words what differs. */
import type { Num, RunReport, Stats } from "../../src/protocol/report.ts";
import type { Golden, GoldenStats } from "./golden.ts";

/** Relative tolerance, and the share of the model's largest number of a kind that counts as 0. */
const tolerance = { relative: 1e-4, floor: 2e-6 };
const halfTolerance = { relative: 2e-2, floor: 2e-6 };

const measured = ["mean", "std", "rms", "min", "max", "absMax", "l2"] as const;
const counted = ["count", "nan", "posInf", "negInf"] as const;

/** Which field's largest number is the measure for a field's floor. */
const scaleOf = { mean: "rms", std: "rms", rms: "rms", min: "absMax", max: "absMax" } as const;

/** A number or Stats beside PyTorch's; `kind` groups those that share a floor. */
interface Pair {
  readonly where: string;
  readonly kind: string;
  readonly ours: Stats | null;
  readonly theirs: GoldenStats | null;
}

/**
 * One sentence for each difference. Numbers: |a − b| ≤ 1e-4·|b| + 2e-6·(the largest of that kind in
 * the model), 2e-2 in half precision; counts, names, shapes and lines exactly.
 */
export function compareWithGolden(report: RunReport, golden: Golden): string[] {
  const problems: string[] = [];
  const pairs = [
    ...pairParameters(report, golden, problems),
    ...pairModules(report, golden, problems),
    ...pairValues(report, golden, problems),
  ];
  const { relative, floor } = isHalf(golden) ? halfTolerance : tolerance;
  const largest = largestByKind(pairs);
  const isNear = (a: number, b: number, scale: number) =>
    Math.abs(a - b) <= relative * Math.abs(b) + floor * scale;

  // A half gradient is rounded at each step: which small ones end as 0 is the order of steps.
  const countsZeros = (kind: string) => kind !== "gradient" || !isHalf(golden);
  for (const pair of pairs)
    problems.push(...differences(pair, largest, isNear, countsZeros(pair.kind)));
  const scale = largest.get("activation.absMax") ?? 0;
  if (!sameOrNear(report.loss, golden.loss, (a, b) => isNear(a, b, scale))) {
    problems.unshift(`loss: ${report.loss}, PyTorch has ${golden.loss}`);
  }
  return problems;
}

function pairParameters(report: RunReport, golden: Golden, problems: string[]): Pair[] {
  const pairs: Pair[] = [];
  expectSame(problems, "parameters", names(report.parameters), names(golden.parameters));
  for (const theirs of golden.parameters) {
    const ours = report.parameters.find(({ name }) => name === theirs.name);
    if (ours === undefined) continue;
    const where = `parameter ${theirs.name}`;
    expectSame(problems, `${where} aliases`, ours.aliases, theirs.aliases);
    expectSame(problems, `${where} type`, typeOf(ours), typeOf(theirs));
    pairs.push({ where, kind: "parameter", ours: ours.value, theirs: theirs.value });
    pairs.push({
      where: `${where} gradient`,
      kind: "parameter gradient",
      ours: ours.gradient,
      theirs: theirs.gradient,
    });
  }
  return pairs;
}

function pairModules(report: RunReport, golden: Golden, problems: string[]): Pair[] {
  const pairs: Pair[] = [];
  const described = (
    modules: readonly { path: string; class: string; calls: readonly unknown[] }[],
  ) => modules.map((m) => `${m.path}:${m.class}:${m.calls.length}`);
  if (golden.modules === undefined) return pairs;
  expectSame(problems, "modules", described(report.modules), described(golden.modules));
  for (const theirs of golden.modules) {
    const ours = report.modules.find(({ path }) => path === theirs.path);
    for (const [call, theirCall] of theirs.calls.entries()) {
      const ourCall = ours?.calls[call];
      if (ourCall === undefined) continue;
      const where = `module '${theirs.path}' call ${call}`;
      const outputs = (list: typeof theirCall.outputs) => list.map((o) => `${o.key} ${typeOf(o)}`);
      expectSame(
        problems,
        `${where} outputs`,
        outputs(ourCall.outputs),
        outputs(theirCall.outputs),
      );
      for (const [i, activation] of theirCall.activation.entries()) {
        const at = `${where}${theirCall.outputs[i]?.key}`;
        pairs.push(activationPair(at, ourCall.activation[i] ?? null, activation));
        const gradient = theirCall.gradient[i] ?? null;
        pairs.push(gradientPair(at, ourCall.gradient[i] ?? null, gradient));
      }
    }
  }
  return pairs;
}

function pairValues(report: RunReport, golden: Golden, problems: string[]): Pair[] {
  if (golden.values === undefined) return [];
  const pairs: Pair[] = [];
  const ours = new Map(report.values.map((value) => [keyOf(value), value]));
  const theirs = new Map(golden.values.map((value) => [keyOf(value), value]));
  expectSame(problems, "values", [...ours.keys()], [...theirs.keys()]);
  for (const [where, their] of theirs) {
    const our = ours.get(where);
    if (our === undefined) continue;
    expectSame(problems, `${where} type`, typeOf(our), typeOf(their));
    expectSame(problems, `${where} module`, String(our.module), String(their.module));
    if (their.activation === null) continue;
    pairs.push(activationPair(where, our.activation, their.activation));
    pairs.push(gradientPair(where, our.gradient, their.gradient));
  }
  return pairs;
}

const activationPair = (where: string, ours: Stats | null, theirs: GoldenStats | null): Pair => ({
  where,
  kind: "activation",
  ours,
  theirs,
});

const gradientPair = (where: string, ours: Stats | null, theirs: GoldenStats | null): Pair => ({
  where: `${where} gradient`,
  kind: "gradient",
  ours,
  theirs,
});

type Near = (a: number, b: number, scale: number) => boolean;

function differences(
  pair: Pair,
  largest: ReadonlyMap<string, number>,
  isNear: Near,
  countsZeros: boolean,
): string[] {
  const { where, kind, ours, theirs } = pair;
  if (ours === null && theirs === null) return [];
  if (ours === null || theirs === null) {
    return [
      `${where}: ${ours === null ? "none" : "given"}, PyTorch has ${theirs === null ? "none" : "one"}`,
    ];
  }
  const scale = (field: (typeof measured)[number]) =>
    largest.get(`${kind}.${field in scaleOf ? scaleOf[field as keyof typeof scaleOf] : field}`) ??
    0;
  const wrong = [
    ...counted.filter((field) => ours[field] !== theirs[field]),
    ...measured.filter(
      (field) => !sameOrNear(ours[field], theirs[field], (a, b) => isNear(a, b, scale(field))),
    ),
  ];
  // Which of the numbers that stand for 0 are exactly 0 is a matter of rounding.
  const isNoise = isNear(0, Number(theirs.absMax), scale("absMax"));
  const zerosFit = !countsZeros || isNoise || sameZeros(ours, theirs, kind);
  const fields = zerosFit ? wrong : [...wrong, "zeroFraction" as const];
  return fields.map((field) => `${where} ${field}: ${ours[field]}, PyTorch has ${theirs[field]}`);
}

/**
 * The same number of zeros, or some other number of those that PyTorch too has within rounding of 0.
 * Of a gradient's exact zeros (0 · x − 0 · x) rounding may spare fewer.
 */
function sameZeros(ours: Stats, theirs: GoldenStats, kind: string): boolean {
  if (Math.abs(ours.zeroFraction - theirs.zeroFraction) < 1e-6) return true;
  const mayDiffer = kind === "gradient" || theirs.nearZero > theirs.zeroFraction;
  return mayDiffer && ours.zeroFraction <= theirs.nearZero + 1e-6;
}

/** The largest absolute number of each "kind.field" among PyTorch's. */
function largestByKind(pairs: readonly Pair[]): Map<string, number> {
  const largest = new Map<string, number>();
  for (const { kind, theirs } of pairs) {
    for (const field of measured) {
      const size = Math.abs(Number(theirs?.[field] ?? 0));
      const key = `${kind}.${field}`;
      if (size > (largest.get(key) ?? 0)) largest.set(key, size);
    }
  }
  return largest;
}

function sameOrNear(ours: Num, theirs: Num, isNear: (a: number, b: number) => boolean): boolean {
  if (typeof ours === "string" || typeof theirs === "string") return ours === theirs;
  return isNear(ours, theirs);
}

/** Says which entries of two lists differ; where only their order does, that. */
function expectSame(
  problems: string[],
  what: string,
  ours: readonly string[] | string,
  theirs: readonly string[] | string,
) {
  if (JSON.stringify(ours) === JSON.stringify(theirs)) return;
  if (typeof ours === "string" || typeof theirs === "string") {
    problems.push(`${what}: ${ours}, PyTorch has ${theirs}`);
    return;
  }
  const missing = theirs.filter((name) => !ours.includes(name));
  const extra = ours.filter((name) => !theirs.includes(name));
  for (const name of missing) problems.push(`${what}: '${name}' is missing`);
  for (const name of extra) problems.push(`${what}: '${name}' is not in PyTorch's`);
  if (missing.length + extra.length === 0) problems.push(`${what}: in another order`);
}

const isHalf = (golden: Golden) =>
  [...golden.parameters, ...(golden.values ?? [])].some(({ dtype }) => /float16/.test(dtype));

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name);

const typeOf = ({ dtype, shape }: { readonly dtype: string; readonly shape: readonly number[] }) =>
  `${dtype}[${shape}]`;

const keyOf = (value: {
  readonly file: string;
  readonly line: number;
  readonly op: string;
  readonly call: number;
  readonly output: number;
}) => `${value.file}:${value.line} ${value.op} call ${value.call} output ${value.output}`;

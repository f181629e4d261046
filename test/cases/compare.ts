/** Compares a run with what PyTorch gives for a case: lines, first non-finite numbers, gradients. */
import type { Num, RunReport, Stats, ValueReport } from "../../src/protocol/report.ts";

export interface Expected {
  readonly loss: Num;
  readonly first_nan_forward: FirstForward | null;
  readonly first_inf_forward: FirstForward | null;
  readonly first_nonfinite_gradient: FirstGradient | null;
  readonly param_grad_norm: Readonly<Record<string, Num>>;
  /** "line:op", "line:op[1]" for a second output; arrays over the calls of that line. */
  readonly lines: Readonly<Record<string, Line>>;
}

interface FirstForward {
  readonly line: number;
  readonly op: string;
  readonly call: number;
  readonly count: number;
}

interface FirstGradient {
  readonly on_output_of_line: number;
  readonly op: string;
  readonly nan: number;
  /** The calls that took this output, whose backward made its gradient. */
  readonly consumers: readonly {
    readonly line: number;
    readonly op: string;
    readonly its_grad_finite: boolean;
  }[];
}

interface Line {
  readonly calls: number;
  readonly shape: readonly number[];
  readonly rms?: readonly Num[];
  readonly grad_rms?: readonly Num[];
  readonly nan?: readonly number[];
  readonly inf?: readonly number[];
  readonly grad_nan?: readonly number[];
}

const floor = 2e-6;

/** One sentence for each difference; numbers within `relative`, counts and lines exactly. */
export function compareWithCase(report: RunReport, expected: Expected, relative: number): string[] {
  const values = report.values.filter(({ file }) => file.startsWith("models/"));
  const isNear = (a: Num | undefined, b: Num, scale: number) =>
    typeof a === "number" && typeof b === "number"
      ? Math.abs(a - b) <= relative * Math.abs(b) + floor * scale
      : a === b;
  return [
    ...say("loss", report.loss, expected.loss, isNear(report.loss, expected.loss, 1)),
    ...compareLines(values, expected.lines, isNear),
    ...compareFirsts(values, expected),
    ...compareGradientNorms(report, expected.param_grad_norm, isNear),
  ];
}

type Near = (a: Num | undefined, b: Num, scale: number) => boolean;

function compareLines(
  values: readonly ValueReport[],
  lines: Readonly<Record<string, Line>>,
  isNear: Near,
): string[] {
  const scale = largest(Object.values(lines).flatMap(({ rms }) => rms ?? []));
  const gradientScale = largest(Object.values(lines).flatMap((line) => line.grad_rms ?? []));
  return Object.entries(lines).flatMap(([key, line]) => {
    const calls = values.filter((value) => keyOf(value) === key);
    if (calls.length !== line.calls) return say(`${key} calls`, calls.length, line.calls, false);
    return calls.flatMap(({ shape, activation, gradient }, i) => {
      const at = `${key} call ${i}`;
      const numbers = (name: string, ours: Num | undefined, theirs: Num | undefined, by: number) =>
        theirs === undefined ? [] : say(`${at} ${name}`, ours, theirs, isNear(ours, theirs, by));
      const count = (name: string, ours: number, theirs = 0) =>
        say(`${at} ${name}`, ours, theirs, ours === theirs);
      return [
        ...(i === 0
          ? say(`${at} shape`, `${shape}`, `${line.shape}`, `${shape}` === `${line.shape}`)
          : []),
        ...numbers("rms", activation.rms, line.rms?.[i], scale),
        ...numbers("gradient rms", gradient?.rms, line.grad_rms?.[i], gradientScale),
        ...count("nan", activation.nan, line.nan?.[i]),
        ...count("inf", infinities(activation), line.inf?.[i]),
        ...count("gradient nan", gradient?.nan ?? 0, line.grad_nan?.[i]),
      ];
    });
  });
}

function compareFirsts(values: readonly ValueReport[], expected: Expected): string[] {
  const nan = values.find(({ activation }) => activation.nan > 0);
  const inf = values.find(({ activation }) => infinities(activation) > 0);
  return [
    ...sameFirst("first nan", nan, nan?.activation.nan, expected.first_nan_forward),
    ...sameFirst("first inf", inf, inf && infinities(inf.activation), expected.first_inf_forward),
    ...compareFirstGradient(values, expected.first_nonfinite_gradient),
  ];
}

function sameFirst(
  what: string,
  value: ValueReport | undefined,
  count: number | undefined,
  expected: FirstForward | null,
): string[] {
  const ours = value && `${value.line}:${value.op} call ${value.call}, ${count}`;
  const theirs =
    expected && `${expected.line}:${expected.op} call ${expected.call}, ${expected.count}`;
  return say(what, ours ?? "none", theirs ?? "none", (ours ?? null) === theirs);
}

/** Backward runs against the order of the calls, so its first is the last of them. */
function compareFirstGradient(
  values: readonly ValueReport[],
  expected: FirstGradient | null,
): string[] {
  const first = values.findLast(({ gradient }) => gradient !== null && !allFinite(gradient));
  const ours = first && `${first.line}:${first.op}, ${first.gradient?.nan}`;
  const theirs = expected && `${expected.on_output_of_line}:${expected.op}, ${expected.nan}`;
  const consumers = (expected?.consumers ?? []).flatMap(({ line, op, its_grad_finite }) => {
    const consumer = values.findLast((value) => value.line === line && value.op === op);
    const finite = consumer?.gradient ? allFinite(consumer.gradient) : null;
    return say(
      `gradient at ${line}:${op} is finite`,
      finite,
      its_grad_finite,
      finite === its_grad_finite,
    );
  });
  const what = "first gradient that is not finite";
  return [...say(what, ours ?? "none", theirs ?? "none", (ours ?? null) === theirs), ...consumers];
}

function compareGradientNorms(
  report: RunReport,
  norms: Readonly<Record<string, Num>>,
  isNear: Near,
): string[] {
  const scale = largest(Object.values(norms));
  return Object.entries(norms).flatMap(([name, theirs]) => {
    const gradient = report.parameters.find((parameter) => parameter.name === name)?.gradient;
    const ours = gradient && !allFinite(gradient) ? "NaN" : gradient?.l2;
    return say(`${name} gradient norm`, ours, theirs, isNear(ours, theirs, scale));
  });
}

const keyOf = ({ line, op, output }: ValueReport) =>
  output === 0 ? `${line}:${op}` : `${line}:${op}[${output}]`;

const infinities = ({ posInf, negInf }: Stats) => posInf + negInf;

const allFinite = (stats: Stats) => stats.nan + infinities(stats) === 0;

const largest = (numbers: readonly Num[]) =>
  Math.max(0, ...numbers.filter((x) => typeof x === "number").map(Math.abs));

const say = (what: string, ours: unknown, theirs: unknown, isSame: boolean) =>
  isSame ? [] : [`${what}: ${ours}, PyTorch has ${theirs}`];

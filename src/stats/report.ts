/** A traced program and the numbers of its run → the report. */
import { invariant, type Printed } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import { type HostArray, numel } from "../graph/tensor.ts";
import type {
  DeviceInfo,
  InputInfo,
  MemoryReport,
  ModuleReport,
  ParameterReport,
  RunReport,
  Stats,
  ValueReport,
  WeightsInfo,
} from "../protocol/report.ts";
import {
  gradientOfTensor,
  type TracedModule,
  type TracedParameter,
  type TracedProgram,
  type TracedTensor,
} from "../trace/program.ts";
import type { StatsOf } from "./collect.ts";
import { flopsOf } from "./flops.ts";
import { hostStats, toNum } from "./moments.ts";

export interface ReportParts {
  readonly request: {
    readonly file: string;
    readonly entry: string | null;
    readonly set: Readonly<Record<string, string>>;
    readonly seed: number;
  };
  readonly program: TracedProgram;
  readonly gradientOf: (value: Value, hooks?: number) => Value | null;
  readonly statsOf: StatsOf;
  readonly ran: {
    readonly results: ReadonlyMap<number, HostArray>;
    readonly device: DeviceInfo;
    readonly memory: MemoryReport | null;
    readonly sessionMs: number;
    readonly runMs: number;
  };
  /** `start`: when the request came, by `performance.now()`. */
  readonly begun: { readonly start: number; readonly traceMs: number };
  readonly buildMs: number;
  /** Version of Normscope. */
  readonly normscope: string;
  readonly lossRule: string;
  /** Text of the script that was made from a class. */
  readonly plan: string | null;
  readonly weights: WeightsInfo | null;
  /** How each input's numbers were made, by its name. */
  readonly inputRules: Readonly<Record<string, string>>;
  readonly printed: readonly Printed[];
  readonly insight: Pick<RunReport, "blocks" | "norms" | "attention">;
}

export function buildReport(parts: ReportParts): RunReport {
  const { request, program, ran, begun, buildMs } = parts;
  return {
    schema: 1,
    normscope: parts.normscope,
    source: {
      file: request.file,
      entry: request.entry,
      args: request.set,
      seed: request.seed,
      mode: program.mode,
      ...(parts.weights === null ? {} : { weights: parts.weights }),
    },
    inputs: program.inputs.map(
      ({ name, dtype, shape }): InputInfo => ({
        name,
        dtype,
        shape,
        rule: parts.inputRules[name] ?? "made by the script",
      }),
    ),
    lossRule: parts.lossRule,
    plan: parts.plan,
    device: ran.device,
    graph: {
      nodes: program.graph.nodes.length,
      parameters: program.parameters.reduce((sum, { shape }) => sum + numel(shape), 0),
      flops: flopsOf(program.graph),
    },
    memory: ran.memory,
    timing: {
      traceMs: begun.traceMs,
      buildMs,
      sessionMs: ran.sessionMs,
      runMs: ran.runMs,
      totalMs: performance.now() - begun.start,
    },
    loss: toNum(lossOf(program.loss, ran.results)),
    modules: program.modules.map((module) => moduleReport(module, parts)),
    values: valueReports(parts),
    parameters: program.parameters.map((parameter) => parameterReport(parameter, parts)),
    ...parts.insight,
    branches: program.branches,
    gaps: program.gaps,
    assumptions: program.assumptions,
    printed: parts.printed,
    findings: [],
  };
}

function lossOf(loss: Value, results: ReadonlyMap<number, HostArray>): number {
  const number = (results.get(loss.id)?.data ?? loss.data)?.[0];
  invariant(number !== undefined, "the loss was not computed");
  return number;
}

function moduleReport(module: TracedModule, parts: ReportParts): ModuleReport {
  return {
    path: module.path,
    class: module.class,
    file: module.file,
    line: module.line,
    calls: module.calls.map(({ outputs }) => ({
      activation: outputs.map((output) => activationOf(output, parts)),
      gradient: outputs.map((output) => gradientStatsOf(output, parts)),
      outputs: outputs.map(({ key, dtype, shape }) => ({ key, dtype, shape })),
    })),
  };
}

/** In the order of the report; values that the script itself makes are left out. */
export const reportedValues = ({ values }: Pick<TracedProgram, "values">) =>
  values.filter(({ fromScript }) => !fromScript);

function valueReports(parts: ReportParts): ValueReport[] {
  const earlier = new Map<string, Map<number, number>>();
  return reportedValues(parts.program).map((traced) => {
    const { call, output, shape, dtype } = traced;
    const { file, line, column, endLine, endColumn } = call.site;
    const key = `${file}:${line}:${call.op}`;
    const calls = earlier.get(key) ?? new Map<number, number>();
    earlier.set(key, calls);
    const count = calls.get(call.id) ?? calls.size;
    calls.set(call.id, count);
    return {
      ...{ file, line, column, endLine, endColumn },
      op: call.op,
      module: call.module,
      call: count,
      output,
      shape,
      dtype,
      activation: activationOf(traced, parts),
      gradient: gradientStatsOf(traced, parts),
    };
  });
}

function parameterReport(parameter: TracedParameter, parts: ReportParts): ParameterReport {
  const { name, aliases, shape, dtype, value } = parameter;
  const complex = dtype.startsWith("complex");
  const own = value === null ? null : { value, dtype, shape, masked: false };
  return {
    ...{ name, aliases, shape, dtype },
    value: own === null ? statsOfUnused(parameter, complex) : activationOf(own, parts),
    gradient: own === null ? null : gradientStatsOf(own, parts),
  };
}

function statsOfUnused({ name, data }: TracedParameter, complex: boolean): Stats {
  invariant(data, `parameter '${name}' has no numbers`);
  return hostStats(data, complex);
}

const isComplex = ({ dtype }: TracedTensor): boolean => dtype.startsWith("complex");

function activationOf(tensor: TracedTensor, { statsOf }: ReportParts): Stats {
  const stats = statsOf({ value: tensor.value, complex: isComplex(tensor) });
  invariant(stats, `value ${tensor.value.id} was not measured`);
  return stats;
}

function gradientStatsOf(tensor: TracedTensor, { gradientOf, statsOf }: ReportParts): Stats | null {
  const gradient = gradientOfTensor(tensor, gradientOf);
  if (gradient === null) return null;
  const stats = statsOf({ value: gradient, complex: isComplex(tensor) });
  invariant(stats, `gradient ${gradient.id} was not measured`);
  return stats;
}

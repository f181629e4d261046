/** A traced program → histogram, percentiles, losses and slices of one value, and of its gradient. */
import { invariant } from "../errors.ts";
import type { Value } from "../graph/graph.ts";
import type { DetailReport, DetailRequest } from "../protocol/engine.ts";
import type { Detail } from "../protocol/report.ts";
import { axisNamer } from "../stats/axisNames.ts";
import { detailGraph, detailOf } from "../stats/detail.ts";
import { reportedValues } from "../stats/report.ts";
import { gradientOfTensor } from "../trace/program.ts";
import type { TracedScript } from "../trace/traceScript.ts";
import type { Stages } from "./answerRequest.ts";
import { differentiate } from "./differentiate.ts";
import { runParameters } from "./runParameters.ts";

/** Only what the value is made of runs, and only its elements leave the device. */
export function detailProgram(
  { index, device }: DetailRequest,
  traced: TracedScript,
  stages: Stages,
): DetailReport {
  stages.progress("build");
  const parameters = runParameters(traced);
  stages.fill(parameters.fills);
  const { graph, gradientOf } = differentiate(traced);
  const tensor = reportedValues(traced.program)[index];
  invariant(tensor, `value ${index} is not in the program`);
  // Pairs of numbers have no histogram.
  if (tensor.dtype.startsWith("complex")) return { activation: null, gradient: null };
  const gradient = gradientOfTensor(tensor, gradientOf);
  const wanted = gradient === null ? [tensor.value] : [tensor.value, gradient];
  const computed = wanted.filter(({ role }) => role === "node");
  stages.progress("run");
  const model = parameters.encode(detailGraph(graph, computed));
  const { results } = stages.ask({ kind: "run", model, device });
  const names = axisNamer(traced.program)(tensor.value);
  const of = (value: Value): Detail | null => {
    const data = results.get(value.id)?.data ?? value.data;
    return data == null ? null : detailOf(data, value.shape, names);
  };
  return { activation: of(tensor.value), gradient: gradient === null ? null : of(gradient) };
}

/** A value by position, by feature, by head: one chart for each axis and statistic. */
import type { AxisBreakdown, AxisName, Detail } from "../../src/protocol/report.ts";
import { t } from "../ui/strings.ts";
import type { LineChart } from "./lineChart.ts";

type Measure = "rms" | "mean" | "std" | "absMax";
const measures: readonly Measure[] = ["rms", "mean", "std", "absMax"];

/** `whose`: "Value: gelu, blocks.0.ffn". Each chart with what its choice is remembered under. */
export const sliceCharts = (whose: string, { axes }: Detail): (readonly [string, LineChart])[] =>
  axes
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap((axis) =>
      measures.map(
        (measure) => [`${measure}:${keyOf(axis)}`, chartOf(whose, axis, measure)] as const,
      ),
    );

/** Positions first, samples last; in between as they lie. */
const rank = ({ name, axis }: AxisBreakdown): number =>
  name === "position" ? -1 : name === "batch" ? 1000 : axis;

const keyOf = ({ name, axis }: AxisBreakdown): string => name ?? String(axis);

function chartOf(whose: string, axis: AxisBreakdown, measure: Measure): LineChart {
  const { step, size } = axis;
  const across = axisLabel(axis);
  const name = measureLabel(measure);
  return {
    title: t("{0} by {1}", name, across),
    definition:
      step === 1
        ? t("over all other axes of this value")
        : t("over all other axes of this value, {0} neighbours together", step),
    across,
    labels: axis[measure].map((_, at) => rangeLabel(at * step, Math.min((at + 1) * step, size))),
    lines: [{ name: whose, values: axis[measure], modules: [] }],
    isLinear: measure === "mean",
  };
}

/** "7"; "12–23" of several. */
const rangeLabel = (from: number, end: number): string =>
  end - from > 1 ? `${from}–${end - 1}` : String(from);

function measureLabel(measure: Measure): string {
  if (measure === "rms") return "RMS";
  if (measure === "mean") return t("Mean");
  return measure === "std" ? t("Standard deviation") : t("Largest magnitude");
}

export function axisLabel({ name, axis }: Pick<AxisBreakdown, "name" | "axis">): string {
  const names: Readonly<Record<AxisName, string>> = {
    position: t("position"),
    feature: t("feature"),
    head: t("head"),
    query: t("query"),
    key: t("key"),
    channel: t("channel"),
    height: t("height"),
    width: t("width"),
    batch: t("sample"),
  };
  return name === null ? t("axis {0}", axis) : names[name];
}

import { expect, test } from "vitest";
import { plotChart } from "./plotChart.ts";

test("points of several seeds become their median, and lines of other places have gaps", () => {
  const chart = plotChart({
    ...{ title: "Gradient", definition: "Norm", x: { label: "layers", isLog: true } },
    y: { label: "norm", isLog: true },
    lines: [
      {
        name: "Pre-LN",
        points: [
          [8, 1],
          [2, 4],
          [2, 2],
          [2, 9],
        ],
      },
      {
        name: "theory",
        points: [
          [2, 4],
          [4, Number.NaN],
        ],
        isReference: true,
      },
    ],
  });
  expect(chart).toMatchObject({ across: "layers", labels: ["2", "4", "8"], isLinear: false });
  expect(chart.lines.map(({ values }) => values)).toEqual([
    [4, null, 1],
    [4, null, null],
  ]);
});

import { expect, test } from "vitest";
import { textPlot } from "./textPlot.ts";

test("draws points and names the axes", () => {
  const lines = textPlot(
    {
      title: "Gradient",
      definition: "",
      x: { label: "depth", isLog: true },
      y: { label: "norm", isLog: true },
      lines: [
        {
          name: "measured",
          points: [
            [1, 1],
            [10, 10],
          ],
        },
      ],
    },
    { columns: 30, rows: 3 },
  );
  expect(lines).toMatchInlineSnapshot(`
    [
      "Gradient (log)",
      "    10.0 │                   ●",
      "         │",
      "    1.00 │●",
      "         └────────────────────",
      "          1.00 depth (log) 10.0",
      "          ● measured",
    ]
  `);
});

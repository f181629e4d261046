/** docs/ops.md: what each operator's definition and cases say. */
import { opNamed, opTypes } from "../../src/ops/registry.ts";
import { cases } from "../../test/ops/cases.ts";

export const path = "docs/ops.md";

export function text(): string {
  const types = opTypes().toSorted();
  const checks = types.reduce((count, op) => count + (cases[op]?.length ?? 0), 0);
  return [
    "# Operators",
    "",
    "<!-- Written by npm run gen from src/ops and test/ops/cases: do not edit. -->",
    "",
    `The ${types.length} operators of ai.onnx that a graph can hold, and the ${checks} cases`,
    "that check them: types and numbers against ONNX Runtime's CPU provider, gradients against",
    "central differences in float64 to 1e-6 of the largest entry, and against PyTorch's at kinks,",
    "ties and zeros.",
    "",
    "*Gradient* lists the inputs that have one. *Host* says whether constants are evaluated",
    "without a runtime. *Note* says why differences are taken of the host's float64 numbers",
    "instead of ONNX Runtime's.",
    "",
    "| Operator | Gradient | Host | Cases | Note |",
    "| --- | --- | --- | --- | --- |",
    ...types.map(row),
    "",
  ].join("\n");
}

function row(op: string): string {
  const def = opNamed(op);
  const differentiable = Object.entries(def?.grad ?? {}).flatMap(([input, rule]) =>
    rule === "none" ? [] : [input],
  );
  const list = cases[op] ?? [];
  const notes = new Set(
    list.flatMap(({ withoutFloat64, withoutKernel }) => withoutKernel ?? withoutFloat64 ?? []),
  );
  const cells = [
    `[${op}](https://onnx.ai/onnx/operators/onnx__${op}.html)`,
    differentiable.join(", ") || "none",
    def?.evaluate ? "yes" : "no",
    String(list.length),
    [...notes].join("; "),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Modules that run and that the model does not own: their parameters are not in parameters(). */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";

export function unregistered({ report, program }: Evidence): Finding[] {
  const known = new Set(program.parameters.map(({ value }) => value?.id));
  const stray = program.graph.inputs.filter(
    ({ id, role, requiresGrad }) => role === "parameter" && requiresGrad && !known.has(id),
  );
  const outside = report.modules.filter(({ path }) => path.startsWith("?"));
  const [first] = outside;
  if (!first || stray.length === 0) return [];
  const ran = report.values.find(({ module }) => module === first.path);
  const classes = [...new Set(outside.map((module) => module.class))].join(", ");
  return [
    {
      code: "parameters/unregistered",
      severity: "error",
      message: `Modules run that the model does not own (${classes}): ${counted(stray.length, "tensor")} of theirs ask for a gradient and are not in parameters(), so no optimizer trains them. A list or a dict of Python's registers nothing`,
      file: ran?.file ?? first.file,
      line: ran?.line ?? first.line,
      module: first.path,
      evidence: { tensors: stray.length, classes },
    },
  ];
}

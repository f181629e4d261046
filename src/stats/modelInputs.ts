/** What the model was called with, tensors that the script cut out of others among it. */
import type { TracedInput, TracedProgram } from "../trace/program.ts";

/** `data[:, :-1]` is no input of the graph: it is a constant of it, or cut out of an input. */
export function modelInputs({ inputs, modules }: TracedProgram): TracedInput[] {
  const known = new Set(inputs.map(({ value }) => value.id));
  const given = modules.find(({ path }) => path === "")?.calls[0]?.inputs ?? [];
  const cut = given.flatMap(({ value, dtype, shape }, at): TracedInput[] =>
    known.has(value.id) || value.role === "parameter"
      ? []
      : [{ name: `argument ${at + 1}`, value, dtype, shape }],
  );
  return [...inputs, ...cut];
}

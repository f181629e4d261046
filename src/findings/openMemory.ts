/** A decoder that hides its own future, and attends to the embeddings of the same tokens without a mask. */
import type { Finding } from "../protocol/report.ts";
import { modelInputs } from "../stats/modelInputs.ts";
import { idsMadeBy, neededFor } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";

/** Known where no attention made that memory: it is the tokens themselves, later ones too. */
export function openMemory({ structure, report, program }: Evidence): Finding[] {
  const { nodes, attention } = structure;
  const inputs = modelInputs(program).filter(({ value }) => value.dtype === "int64");
  const [tokens] = inputs;
  if (!tokens || inputs.length !== 1 || report.attention.length !== attention.length) return [];
  const reached = idsMadeBy(dependents(nodes, tokens.value));
  const mixed = attention.flatMap(({ mixing: { outputs } }) => outputs.map(({ id }) => id));
  const readsMixed = (id: ReadonlySet<number>): boolean => mixed.some((one) => id.has(one));
  const causal = attention.filter((_, at) => {
    const sees = report.attention[at]?.sees;
    return sees?.past && sees.self && !sees.future;
  });
  const open = attention.filter(({ operands: [query, key], softmaxSize }, at) => {
    const sees = report.attention[at]?.sees;
    if (!query || !key || !reached.has(key.id) || !sees?.future || !sees.past) return false;
    const isMemory = !readsMixed(neededFor(nodes, key));
    const isBehind = causal.some(
      (one) =>
        one.softmaxSize === softmaxSize &&
        one.mixing.outputs.some(({ id }) => neededFor(nodes, query).has(id)),
    );
    return isMemory && isBehind;
  });
  const [first] = open;
  if (!first) return [];
  return [
    {
      code: "attention/open-memory",
      severity: "warning",
      message: `Self-attention hides later positions, and ${counted(open.length, "layer")} of attention to a memory ${open.length === 1 ? "does" : "do"} not, though that memory is the embedding of the same tokens: each position reads the tokens that it is to predict. A decoder alone needs no memory: nn.TransformerEncoder with a causal mask`,
      ...callPlace(first.call),
      evidence: { layers: open.length, input: tokens.name },
    },
  ];
}

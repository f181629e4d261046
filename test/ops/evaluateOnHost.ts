/** A graph's numbers from the operators' own `evaluate`, node by node. */
import { invariant } from "../../src/errors.ts";
import type { Graph, Value } from "../../src/graph/graph.ts";
import { prune } from "../../src/graph/prune.ts";
import type { HostArray } from "../../src/graph/tensor.ts";
import { byName } from "../../src/ops/defineOp.ts";
import { opNamed } from "../../src/ops/registry.ts";

export function evaluateOnHost(graph: Graph, outputs: readonly Value[]): HostArray[] {
  const arrays = new Map<number, HostArray>();
  const arrayOf = (value: Value): HostArray => {
    const known = arrays.get(value.id);
    if (known) return known;
    invariant(value.data, `value ${value.id} has no numbers`);
    return { dtype: value.dtype, shape: value.shape, data: value.data };
  };
  for (const node of prune({ ...graph, outputs }).nodes) {
    const def = opNamed(node.op);
    invariant(def?.evaluate, `${node.op} cannot be evaluated on the host`);
    const inputs = node.inputs.map((value) => (value === null ? null : arrayOf(value)));
    const made = def.evaluate(
      byName(def.inputs, inputs) as never,
      { ...def.attrs, ...node.attrs } as never,
      node.outputs,
    );
    node.outputs.forEach((value, k) => {
      const array = made[k];
      invariant(array, `${node.op} has no output ${k}`);
      arrays.set(value.id, array);
    });
  }
  return outputs.map(arrayOf);
}

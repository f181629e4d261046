/** Places in blocks and attention where numbers go on and gradients do not. */
import type { Node, TorchCall, Value } from "../graph/graph.ts";
import { isFloat } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** What no gradient reaches at all is parameters/no-gradient; here weights get one by another way, or in part. */
export function gradientCut({ program, structure }: Evidence): Finding[] {
  if (!program.backward) return [];
  const { nodes, attention, blocks } = structure;
  const { makers } = structure.producers;
  const covered = withinFunctions(nodes, makers);
  const cuts = new Set(nodes.filter((node) => isCut(node) && !covered.has(node)));
  if (cuts.size === 0) return [];
  const ofAttention = attention.flatMap(({ operands, mixing }) => {
    // All of it under no_grad: numbers that nobody asks a gradient of.
    if (!mixing.outputs[0]?.requiresGrad) return [];
    const names = ["queries", "keys", "values"];
    return operands.flatMap((operand, at) => {
      const cut = operand.requiresGrad ? null : cutBefore(operand);
      return cut ? [findingOf(cut, `the ${names[at]} of attention`)] : [];
    });
  });
  const ofBlocks = blocks.flatMap(({ residual, input, path }) =>
    residual.adds.flatMap(({ skip, branch }) => {
      if (!input.requiresGrad) return [];
      const ofSkip = skip.requiresGrad ? null : cutBefore(skip);
      if (ofSkip) return [findingOf(ofSkip, `the stream of ${path}`)];
      const cut = branchCut(skip, branch);
      return cut ? [findingOf(cut, `a branch of ${path}`)] : [];
    }),
  );
  const ofTokens = [...cuts].filter(({ op, inputs: [table, indices], outputs: [rows] }) => {
    const isTable = op === "Gather" && table?.role === "parameter";
    return (
      isTable &&
      rows !== undefined &&
      goesOn(rows) &&
      program.inputs.some(({ value }) => value.id === indices?.id)
    );
  });
  const ofEmbeddings = ofTokens.map((cut) => findingOf(cut, "the embedding"));
  // Gates that a router chose: numbers weigh what experts give, and the router learns nothing of it.
  const ofGates = nodes.flatMap(({ op, inputs, origin, outputs: [chosen] }) => {
    const isChoice = op === "GatherElements" && /^(topk|gather|max)$/.test(origin.call?.op ?? "");
    if (!isChoice || !chosen || chosen.requiresGrad || !goesOn(chosen)) return [];
    if (!isRanked(inputs[1])) return [];
    const cut = cutBefore(chosen);
    return cut ? [findingOf(cut, "the gates of experts")] : [];
  });
  return oncePerLine([...ofEmbeddings, ...ofBlocks, ...ofAttention, ...ofGates].flat());

  /** The nearest cut that all of a value comes through. */
  function cutBefore(value: Value): Node | null {
    const seen = new Set<number>();
    const open = [value];
    for (let at = open.shift(); at; at = open.shift()) {
      const node = makers.get(at.id);
      if (!node || seen.has(at.id)) continue;
      seen.add(at.id);
      if (cuts.has(node)) return node;
      open.push(...node.inputs.filter((one): one is Value => one !== null && isFloat(one.dtype)));
    }
    return null;
  }

  /** Whether indices are those of the largest of something. */
  function isRanked(indices: Value | null | undefined): boolean {
    let at = indices;
    for (let steps = 0; at && steps < 6; steps++) {
      const node = makers.get(at.id);
      if (node?.op === "TopK" || node?.op === "ArgMax") return true;
      at = node?.inputs.findLast((one) => one?.dtype === "int64");
    }
    return false;
  }

  /** Whether something with a gradient is computed of these numbers, and not of tokens drawn by them. */
  function goesOn({ id }: Value): boolean {
    const reached = new Set([id]);
    return nodes.some(({ inputs, outputs }) => {
      if (!inputs.some((one) => one && isFloat(one.dtype) && reached.has(one.id))) return false;
      for (const output of outputs) reached.add(output.id);
      return outputs.some(({ requiresGrad }) => requiresGrad);
    });
  }

  /** A cut between the stream and a branch that no way with gradients goes round. */
  function branchCut(skip: Value, branch: Value): Node | null {
    const after = dependents(nodes, skip);
    const reached = idsMadeBy(after);
    if (!reached.has(branch.id)) return null;
    const own = after.filter((node) => cuts.has(node) && leadsTo(node, branch));
    if (own.length === 0) return null;
    const seen = new Set<number>();
    const open = [branch];
    for (let at = open.pop(); at; at = open.pop()) {
      if (structure.sourceOf(at).value.id === structure.sourceOf(skip).value.id) return null;
      if (seen.has(at.id)) continue;
      seen.add(at.id);
      const maker = makers.get(at.id);
      // An autograd.Function computes without gradients and gives them by a rule of its own.
      const given = [...(maker?.inputs ?? []), ...(maker?.origin.group?.inputs ?? [])];
      open.push(...given.filter((one): one is Value => one?.requiresGrad === true));
    }
    return own[0] ?? null;
  }

  function leadsTo({ outputs: [output] }: Node, value: Value): boolean {
    return (
      output !== undefined &&
      dependents(nodes, output).some(({ outputs }) => outputs.some(({ id }) => id === value.id))
    );
  }
}

/** What an autograd.Function computes without gradients: it gives them by a rule of its own. */
function withinFunctions(
  nodes: readonly Node[],
  makers: ReadonlyMap<number, Node>,
): ReadonlySet<Node> {
  const within = new Set<Node>();
  for (const { op, inputs, origin } of nodes) {
    if (op !== "Identity" || !origin.group) continue;
    const given = new Set(origin.group.inputs.map(({ id }) => id));
    const open = inputs.filter((one): one is Value => one !== null);
    for (let at = open.pop(); at; at = open.pop()) {
      const maker = given.has(at.id) ? undefined : makers.get(at.id);
      if (!maker || within.has(maker)) continue;
      within.add(maker);
      open.push(...maker.inputs.filter((one): one is Value => one !== null));
    }
  }
  return within;
}

/** detach, .data, what is computed under no_grad. */
const isCut = ({ inputs, outputs: [output] }: Node): boolean =>
  output !== undefined &&
  isFloat(output.dtype) &&
  !output.requiresGrad &&
  inputs.some((value) => value?.requiresGrad === true);

function findingOf({ origin }: Node, what: string): Finding[] {
  const call: TorchCall | null = origin.call;
  if (!call) return [];
  const how = call.op === "__get__" ? ".data" : call.op;
  return [
    {
      code: "parameters/gradient-cut",
      severity: "warning",
      message: `No gradient goes back through ${what} from here (${how}): detach, .data or no_grad cuts it, and what stands before it learns by other ways alone`,
      ...callPlace(call),
      evidence: { cut: how, what },
    },
  ];
}

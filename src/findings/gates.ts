/** Gates of experts: what a router's choice weighs their results with. */
import type { Node, Value } from "../graph/graph.ts";
import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, counted, type Evidence, figure, measuredAs } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const gates = (evidence: Evidence): Finding[] =>
  oncePerLine([...evenRouters(evidence), ...smallGates(evidence)]);

export const constantGates = (evidence: Evidence): Finding[] => oncePerLine(alwaysOne(evidence));

interface Choice {
  readonly node: Node;
  readonly scores: Value;
  readonly chosen: Value;
  readonly experts: number;
  readonly count: number;
}

/** The largest of a few scores for each token, computed from what a linear map gives. */
function choicesOf({ structure: { nodes } }: Evidence): Choice[] {
  return nodes.flatMap((node): Choice[] => {
    const [scores] = node.inputs;
    const [chosen] = node.outputs;
    const isPicked = node.op === "GatherElements" && node.origin.call?.op === "topk";
    if (!isPicked || !scores || !chosen || !scores.requiresGrad) return [];
    const experts = scores.shape.at(-1) ?? 1;
    const count = chosen.shape.at(-1) ?? 1;
    return experts >= 2 && count < experts ? [{ node, scores, chosen, experts, count }] : [];
  });
}

/** What is divided by itself, or goes through softmax alone, is 1. */
function alwaysOne(evidence: Evidence): Finding[] {
  const { nodes, producers, sourceOf } = evidence.structure;
  const idOf = (value: Value): number => sourceOf(value).value.id;
  return choicesOf(evidence).flatMap(({ chosen, count, experts }): Finding[] => {
    if (count !== 1) return [];
    const after = dependents(nodes, chosen);
    const constant = after.find(({ op, inputs: [a, b], attrs }) => {
      if (!a || idOf(a) !== idOf(chosen)) return false;
      if (op === "Softmax") return a.shape.at(Number(attrs["axis"] ?? -1)) === 1;
      if (op !== "Div" || !b) return false;
      const sum = producers.makerOf(b);
      const isSum =
        sum?.op === "ReduceSum" && sum.inputs[0] && idOf(sum.inputs[0]) === idOf(chosen);
      return isSum || idOf(b) === idOf(chosen);
    });
    const call = constant?.origin.call;
    if (!call) return [];
    return [
      {
        code: "experts/constant-gate",
        severity: "error",
        message: `One expert of ${experts} is chosen, and its gate is made to sum to one: it is 1 for every token, so that the router gets no gradient through what experts give`,
        ...callPlace(call),
        evidence: { experts, chosen: 1 },
      },
    ];
  });
}

/** The same score for all experts: ties send all tokens to the first ones. */
function evenRouters(evidence: Evidence): Finding[] {
  return choicesOf(evidence).flatMap(({ node, scores, experts, count }): Finding[] => {
    const measured = measuredAs(evidence, scores)?.activation;
    const call = node.origin.call;
    if (!call || !measured || measured.min !== measured.max) return [];
    return [
      {
        code: "experts/even-router",
        severity: "warning",
        message: `The router gives all ${experts} experts the same score for every token (${figure(measured.max)}): all tokens go to the same ${counted(count, "expert")}, and the others learn nothing`,
        ...callPlace(call),
        evidence: { experts, score: measured.max },
      },
    ];
  });
}

/** Parts of a whole that are used as they are; a shared expert beside them keeps the sum in size. */
function smallGates(evidence: Evidence): Finding[] {
  const { nodes, blocks, producers } = evidence.structure;
  return choicesOf(evidence).flatMap(({ node, scores, chosen, count, experts }): Finding[] => {
    const call = node.origin.call;
    if (!call || count < 2 || producers.makerOf(scores)?.op !== "Softmax") return [];
    const after = dependents(nodes, chosen);
    const reached = idsMadeBy(after);
    const isScaled = after.some(
      ({ op, inputs, outputs: [out] }) =>
        (op === "Div" || op === "Softmax" || op === "ReduceSum" || isByNumber(op, inputs)) &&
        out !== undefined &&
        (out.shape.at(-1) === count || out.shape.at(-1) === 1 || isByNumber(op, inputs)),
    );
    const branch = blocks
      .flatMap(({ branches }) => branches)
      .find((one) => reached.has(one.branch.id));
    if (isScaled || !branch || hasMore(branch.branch)) return [];
    const sum = count * fromNum(measuredAs(evidence, chosen)?.activation.mean ?? "NaN");
    if (!(sum < 0.9)) return [];
    return [
      {
        code: "experts/gate-sum",
        severity: "information",
        message: `The gates of the ${count} chosen experts of ${experts} sum to ${figure(sum)} on average, and nothing makes them sum to one: what experts add to the stream is that much smaller`,
        ...callPlace(call),
        evidence: { "mean sum": sum, chosen: count, experts },
      },
    ];

    /** Whether something else than the chosen experts is in the branch. */
    function hasMore(value: Value): boolean {
      const maker = producers.makerOf(value);
      if (maker?.op === "Identity" || maker?.op === "Cast")
        return maker.inputs[0] ? hasMore(maker.inputs[0]) : false;
      return (
        maker?.op === "Add" &&
        maker.inputs.some((one) => one?.role === "node" && !reached.has(one.id))
      );
    }
  });
}

const isByNumber = (op: string, inputs: Node["inputs"]): boolean =>
  (op === "Mul" || op === "Div") && inputs.some((one) => one?.data?.length === 1);

/** Which rows of logits meet which targets: as the views of both arrange them, and how many are left. */
import type { Node, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { type CrossEntropy, targetsOf } from "../stats/targets.ts";
import { pathBefore, pathFrom, placesAfter } from "../stats/viewOrder.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { entropyInLoss } from "./initialLoss.ts";

export function rowOrder(evidence: Evidence): Finding[] {
  const entropy = entropyInLoss(evidence);
  const targets = targetsOf(evidence.structure);
  if (!entropy || !targets || entropy.call.site.file.startsWith("<")) return [];
  return [...ofOrder(evidence, entropy, targets), ...ofOne(evidence, entropy, targets)];
}

const elementLimit = 2 ** 18;

/** Logits [a, b, classes] and targets [a, b] that are flattened in different orders. */
function ofOrder({ structure }: Evidence, entropy: CrossEntropy, targets: Value): Finding[] {
  const wanted = pathBefore(targets, structure);
  const [a = 1, b = 1] = wanted.base.shape;
  const { classes } = entropy;
  const logits = pathFrom(entropy.logits, [a, b, classes], structure);
  if (wanted.base.shape.length !== 2 || a < 2 || b < 2 || a === b) return [];
  if (logits === null) return [];
  if (entropy.logits.shape.length !== 2 || entropy.logits.shape[1] !== classes) return [];
  if (numel(logits.base.shape) > elementLimit) return [];
  const rows = placesAfter(logits, entropy.logits);
  const asked = placesAfter(wanted, targets);
  if (!rows || !asked || asked.length !== a * b) return [];
  const off = Array.from(asked).filter(
    (place, row) => Math.floor(Number(rows[row * classes]) / classes) !== Number(place),
  ).length;
  if (off === 0) return [];
  return [
    {
      code: "loss/other-order",
      severity: "error",
      message: `Targets and logits are not in one order: of ${a * b} rows, ${off} are compared with the target of another place. Logits [${a}, ${b}, ${classes}] and targets [${a}, ${b}] are flattened alike, or one of them was transposed and the other not`,
      ...callPlace(entropy.call),
      evidence: { rows: a * b, "compared with another's": off },
    },
  ];
}

const fewestPositions = 8;

/** Logits of all positions are made and targets given, and one position of both is compared. */
function ofOne(
  { structure, program, report }: Evidence,
  entropy: CrossEntropy,
  targets: Value,
): Finding[] {
  const { producers, found } = structure;
  const isCausal =
    report.attention.length > 0 &&
    report.attention.every(({ sees }) => sees?.past && sees.self && !sees.future);
  if (!isCausal) return [];
  const wanted = pathBefore(targets, structure).base;
  const logits = pathBefore(entropy.logits, structure).base;
  const [cut, made] = [wanted, logits].map((value) => producers.makers.get(value.id));
  const [labels, whole] = [cut?.inputs[0], made?.inputs[0]];
  const picks = (node: Node | undefined) => node?.op === "Slice" || node?.op === "Gather";
  if (!labels || !whole || !picks(cut) || !picks(made)) return [];
  const [samples = 1, positions = 1] = labels.shape;
  const isGiven = program.inputs.some(({ value }) => value.id === labels.id);
  const isWhole = whole.shape.join() === [samples, positions, entropy.classes].join();
  const rows = numel(entropy.logits.shape) / entropy.classes;
  if (!isGiven || !isWhole || positions < fewestPositions || rows !== samples) return [];
  const head = producers.makers.get(whole.id);
  const isMap = head?.inputs.some((value) => value !== null && found.isWeight(value));
  if (!isMap) return [];
  return [
    {
      code: "loss/one-position",
      severity: "warning",
      message: `The loss compares 1 of ${counted(positions, "position")}, though the model makes logits of all and their targets are given: the others teach nothing. A causal model learns from each position at once`,
      ...callPlace(entropy.call),
      evidence: { compared: 1, positions },
    },
  ];
}

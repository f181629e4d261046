/** A model that is to predict the next token, or whose masks hide it, and whose results depend on it. */
import type { Finding } from "../protocol/report.ts";
import type { ModelSpread } from "../stats/modelSpread.ts";
import { type Alignment, alignmentOf } from "./alignment.ts";
import { counted, type Evidence } from "./evidence.ts";
import { flippedMask } from "./flippedMask.ts";
import { futureSeen } from "./futureSeen.ts";
import { hiddenSelf } from "./hiddenSelf.ts";
import { entropyInLoss } from "./initialLoss.ts";
import { mixedAxes } from "./mixedAxes.ts";
import { operandNorms } from "./operandNorms.ts";
import { softmaxAxis } from "./softmaxAxis.ts";
import { softmaxTwice } from "./softmaxTwice.ts";
import { spreading } from "./spreading.ts";
import { weakMask } from "./weakMask.ts";

/** What names the place of the same mistake more closely. */
const closer = [
  ...[
    flippedMask,
    futureSeen,
    hiddenSelf,
    mixedAxes,
    softmaxAxis,
    softmaxTwice,
    spreading,
    weakMask,
    operandNorms,
  ],
];

export function futureRead(evidence: Evidence): Finding[] {
  const known = asked(evidence) ?? masked(evidence);
  if (!known) return [];
  const { spread, reason } = known;
  const { result, seen } = spread;
  // Padding in front whose rows are hidden as a whole has even weights, and reads what comes later.
  const hidden = Math.max(0, ...evidence.report.attention.map(({ sees }) => sees?.hiddenRows ?? 0));
  if (
    !result?.before ||
    result.before <= hidden ||
    closer.some((rule) => rule(evidence).length > 0)
  )
    return [];
  const first = seen.find(({ before }) => (before ?? 0) > 0)?.traced;
  const open = evidence.report.attention.find(({ sees }) => sees?.future);
  const site = open ?? first?.call.site ?? null;
  const why = open
    ? "Attention there has no mask that hides later positions"
    : `It begins with ${first?.call.op ?? "the model"}`;
  return [
    {
      code: "model/reads-future",
      severity: "error",
      message: `${reason}, and the model reads it: a change of ${spread.input.name}[${spread.entry}, ${spread.at}] changes the result at ${counted(result.before, "earlier position")}. ${why}`,
      file: site?.file ?? null,
      line: site?.line ?? null,
      module: open?.path ?? first?.call.module ?? null,
      evidence: { "earlier positions changed": result.before, positions: spread.places },
    },
  ];
}

interface Known {
  readonly spread: ModelSpread;
  readonly reason: string;
}

function asked(evidence: Evidence): Known | null {
  const alignment = alignmentOf(evidence);
  if (!alignment || alignment.positions === 0) return null;
  if (alignment.offset < 1 || alignment.isTurned || !isOwnLoss(evidence, alignment)) return null;
  return { spread: alignment.spread, reason: "The loss asks for the next token" };
}

/**
 * Where a script elsewhere cuts tokens for a model and compares it with the next ones, it may want
 * numbers of any model: what the model is for is said by the loss in its own file.
 */
function isOwnLoss(evidence: Evidence, { spread }: Alignment): boolean {
  const { inputs, modules } = evidence.program;
  if (inputs.some(({ value }) => value.id === spread.input.value.id)) return true;
  const root = modules.find(({ path }) => path === "");
  return entropyInLoss(evidence)?.call.site.file === root?.file;
}

/** All attention is over the positions of the one input, and none sees a later one. */
function masked({ modelSpreads, report, structure }: Evidence): Known | null {
  const [spread, ...others] = modelSpreads;
  const { attention } = structure;
  if (!spread || others.length > 0 || attention.length === 0) return null;
  if (report.attention.length !== attention.length || spread.result?.others !== 0) return null;
  const isCausal = report.attention.every(({ sees }) => sees?.past && sees.self && !sees.future);
  const isAlong = attention.every(({ softmaxSize }) => softmaxSize === spread.places);
  return isCausal && isAlong ? { spread, reason: "Every mask hides what comes later" } : null;
}

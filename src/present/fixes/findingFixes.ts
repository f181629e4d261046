/**
 * What a small edit mends: for findings whose line, or a line that it leads to, has a form of which it
 * is known what it means. Everything else has no fix.
 */
import type { Finding } from "../../protocol/report.ts";
import {
  attentionScale,
  hideByInfinity,
  hideFuture,
  maskBefore,
  readsFuture,
  softmaxAxis,
  transposeHeads,
  turnMask,
} from "./attention.ts";
import {
  closingNorm,
  crossEntropy,
  dropInTraining,
  endOfName,
  epsInside,
  keepSum,
  normBranch,
  overPositions,
  registerModules,
  separateLayers,
  shiftTargets,
} from "./blocks.ts";
import { capScores, logProbabilities, squeezeColumn } from "./losses.ts";
import { type Fix, type Place, placeOf } from "./place.ts";
import { divideByRoot, keepStream } from "./scaling.ts";
import { keepGate, meanOfKept, softmaxOnce, useSoftmax } from "./weighing.ts";

const fixers: Readonly<Record<string, (place: Place) => Fix | null>> = {
  "attention/softmax-axis": softmaxAxis,
  "attention/scale": attentionScale,
  "attention/no-softmax": useSoftmax,
  "attention/softmax-twice": softmaxOnce,
  "experts/constant-gate": keepGate,
  "loss/masked-mean": meanOfKept,
  "loss/divergence": logProbabilities,
  "loss/shapes": squeezeColumn,
  "attention/softcap": capScores,
  "attention/sees-future": hideFuture,
  "attention/mask-flipped": turnMask,
  "attention/mask-weak": hideByInfinity,
  "attention/row-sums": maskBefore,
  "attention/mixed-axes": transposeHeads,
  "model/reads-future": readsFuture,
  "model/dropout-in-eval": dropInTraining,
  "model/loses-samples": overPositions,
  "norm/no-final": closingNorm,
  "norm/skip-path": normBranch,
  "norm/eps-outside": epsInside,
  "norm/power": divideByRoot,
  "block/lost-sum": keepSum,
  "block/scaled-stream": keepStream,
  "init/missed": endOfName,
  "parameters/unregistered": registerModules,
  "parameters/shared-layers": separateLayers,
  "loss/unshifted": shiftTargets,
  "loss/softmax-axis": softmaxAxis,
  "loss/no-logarithm": crossEntropy,
};

/** null where no edit is known to be right. `source` is the text of the finding's file. */
export function findingFix(finding: Finding, source: string): Fix | null {
  const place = placeOf(finding, source);
  return place && (fixers[finding.code]?.(place) ?? null);
}

/** The text with a fix in it. */
export function fixed(source: string, { edits }: Fix): string {
  const byLine = new Map(edits.map(({ line, text }) => [line, text]));
  return source
    .split("\n")
    .flatMap((old, line) => {
      const text = byLine.get(line);
      return text === null ? [] : [text ?? old];
    })
    .join("\n");
}

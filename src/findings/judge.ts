/** All rules over one run. */
import type { Finding } from "../protocol/report.ts";
import { attentionScale } from "./attentionScale.ts";
import { batchAxis } from "./batchAxis.ts";
import { branchFactors } from "./branchFactors.ts";
import { cache } from "./cache.ts";
import { causalEncoder } from "./causalEncoder.ts";
import { causalMemory } from "./causalMemory.ts";
import { causalOffset } from "./causalOffset.ts";
import { constantInit } from "./constantInit.ts";
import { constantTargets } from "./constantTargets.ts";
import { cosineScale } from "./cosineScale.ts";
import { deadBranches } from "./deadBranches.ts";
import { deadUnits } from "./deadUnits.ts";
import { deepNorm } from "./deepNorm.ts";
import { depthGradient } from "./depthGradient.ts";
import { distanceBias } from "./distanceBias.ts";
import { divergence } from "./divergence.ts";
import { doubleSoftmax } from "./doubleSoftmax.ts";
import { dropout } from "./dropout.ts";
import { droppedScores } from "./droppedScores.ts";
import { droppedStream } from "./droppedStream.ts";
import { droppedTokens } from "./droppedTokens.ts";
import { embeddingSum } from "./embeddingSum.ts";
import { emptyKeys } from "./emptyKeys.ts";
import { epsLarge } from "./epsLarge.ts";
import { epsOutside } from "./epsOutside.ts";
import { equalSlots } from "./equalSlots.ts";
import type { Evidence, Rule } from "./evidence.ts";
import { firstGradient } from "./firstGradient.ts";
import { firstInfinity } from "./firstInfinity.ts";
import { firstNan } from "./firstNan.ts";
import { firstPosition } from "./firstPosition.ts";
import { flatSteps } from "./flatSteps.ts";
import { flippedMask } from "./flippedMask.ts";
import { frozenLayers } from "./frozenLayers.ts";
import { futureRead } from "./futureRead.ts";
import { futureSeen } from "./futureSeen.ts";
import { constantGates, gates } from "./gates.ts";
import { gateTwice } from "./gateTwice.ts";
import { gradientCut } from "./gradientCut.ts";
import { halfMargin } from "./halfMargin.ts";
import { headGroups } from "./headGroups.ts";
import { hiddenSelf } from "./hiddenSelf.ts";
import { identicalLayers } from "./identicalLayers.ts";
import { imageNorm } from "./imageNorm.ts";
import { initialLoss } from "./initialLoss.ts";
import { latePositions } from "./latePositions.ts";
import { linearPair } from "./linearPair.ts";
import { lossInput } from "./lossInput.ts";
import { lossScale } from "./lossScale.ts";
import { maskedMean } from "./maskedMean.ts";
import { maskedRows } from "./maskedRows.ts";
import { maskHeads } from "./maskHeads.ts";
import { missedInit } from "./missedInit.ts";
import { mixedAxes } from "./mixedAxes.ts";
import { mixedClasses } from "./mixedClasses.ts";
import { nearHidden } from "./nearHidden.ts";
import { noFinalNorm } from "./noFinalNorm.ts";
import { noGradient } from "./noGradient.ts";
import { noResidual } from "./noResidual.ts";
import { normGains } from "./normGains.ts";
import { normMean } from "./normMean.ts";
import { normOverPositions } from "./normOverPositions.ts";
import { normPower } from "./normPower.ts";
import { normTwice } from "./normTwice.ts";
import { noSoftmax } from "./noSoftmax.ts";
import { openChunk } from "./openChunk.ts";
import { openMemory } from "./openMemory.ts";
import { operandNorms } from "./operandNorms.ts";
import { paddedTargets } from "./paddedTargets.ts";
import { paddingRow } from "./paddingRow.ts";
import { paddingSeen } from "./paddingSeen.ts";
import { plainTensors } from "./plainTensors.ts";
import { pooledPadding } from "./pooledPadding.ts";
import { positionsApart } from "./positionsApart.ts";
import { positionsElsewhere } from "./positionsElsewhere.ts";
import { positionTable } from "./positionTable.ts";
import { positiveBranch } from "./positiveBranch.ts";
import { queriesElsewhere } from "./queriesElsewhere.ts";
import { randomBias } from "./randomBias.ts";
import { randomInEval } from "./randomInEval.ts";
import { reshapedImage } from "./reshapedImage.ts";
import { rotary } from "./rotary.ts";
import { rowOrder } from "./rowOrder.ts";
import { rowSums } from "./rowSums.ts";
import { sameRows } from "./sameRows.ts";
import { sampleParameters } from "./sampleParameters.ts";
import { samplesLost } from "./samplesLost.ts";
import { samplesMixed } from "./samplesMixed.ts";
import { saturatedAttention } from "./saturatedAttention.ts";
import { saturatedUnits } from "./saturatedUnits.ts";
import { sharedLayers } from "./sharedLayers.ts";
import { sharedNorms } from "./sharedNorms.ts";
import { shiftedTargets } from "./shiftedTargets.ts";
import { skipPath } from "./skipPath.ts";
import { sliceUnread } from "./sliceUnread.ts";
import { smoothing } from "./smoothing.ts";
import { softcap } from "./softcap.ts";
import { softmaxAxis } from "./softmaxAxis.ts";
import { softmaxTwice } from "./softmaxTwice.ts";
import { splitUnread } from "./splitUnread.ts";
import { spreading } from "./spreading.ts";
import { spreadLoss } from "./spreadLoss.ts";
import { strayFlags } from "./strayFlags.ts";
import { streamGrowth } from "./streamGrowth.ts";
import { streamLost } from "./streamLost.ts";
import { streamReplaced } from "./streamReplaced.ts";
import { streamTwice } from "./streamTwice.ts";
import { tieBroken } from "./tieBroken.ts";
import { tokenAxis } from "./tokenAxis.ts";
import { trainingLoop } from "./trainingLoop.ts";
import { unevenMasks } from "./unevenMasks.ts";
import { unregistered } from "./unregistered.ts";
import { unshifted } from "./unshifted.ts";
import { unusedParameters } from "./unusedParameters.ts";
import { unwritten } from "./unwritten.ts";
import { valuesElsewhere } from "./valuesElsewhere.ts";
import { weakMask } from "./weakMask.ts";

/** What numbers show, and what follows from the arithmetic whatever the numbers. */
const rules: Readonly<Record<"measured" | "structural", readonly Rule[]>> = {
  measured: [
    ...[firstNan, firstInfinity, firstGradient, halfMargin, rowSums, maskedRows, flippedMask],
    ...[futureSeen, saturatedAttention, spreading, epsOutside, epsLarge, identicalLayers],
    ...[tieBroken, initialLoss, depthGradient, streamGrowth, deadBranches, deadUnits],
    ...[noGradient, unusedParameters, missedInit, unwritten, unshifted],
    ...[samplesMixed, positionsApart, futureRead, shiftedTargets, weakMask],
    ...[
      constantInit,
      positionTable,
      saturatedUnits,
      samplesLost,
      unevenMasks,
      paddingSeen,
      paddedTargets,
      positionsElsewhere,
      normGains,
      randomBias,
      noSoftmax,
      gates,
      droppedTokens,
      maskedMean,
      pooledPadding,
      openChunk,
      causalEncoder,
      causalMemory,
      openMemory,
      nearHidden,
      constantTargets,
      equalSlots,
      paddingRow,
      firstPosition,
      latePositions,
      divergence,
    ],
  ],
  structural: [
    ...[softmaxAxis, softmaxTwice, attentionScale, mixedAxes, noFinalNorm, normTwice, skipPath],
    ...[
      noResidual,
      streamLost,
      streamReplaced,
      embeddingSum,
      frozenLayers,
      dropout,
      sharedLayers,
      doubleSoftmax,
      unregistered,
      lossInput,
      mixedClasses,
      rotary,
      operandNorms,
      emptyKeys,
      imageNorm,
      constantGates,
      headGroups,
      gradientCut,
      streamTwice,
      splitUnread,
      normPower,
      normMean,
      gateTwice,
      deepNorm,
      reshapedImage,
      branchFactors,
      causalOffset,
      linearPair,
      randomInEval,
      smoothing,
      lossScale,
      rowOrder,
      trainingLoop,
      cache,
      softcap,
      distanceBias,
      hiddenSelf,
      spreadLoss,
      flatSteps,
      queriesElsewhere,
      batchAxis,
      droppedScores,
      droppedStream,
      sharedNorms,
      valuesElsewhere,
      plainTensors,
      normOverPositions,
      positiveBranch,
      sameRows,
      tokenAxis,
      cosineScale,
      maskHeads,
      sliceUnread,
      sampleParameters,
      strayFlags,
    ],
  ],
};

const gravity = { error: 0, warning: 1, information: 2 } as const;

/** The gravest first. */
export function judge(evidence: Evidence): Finding[] {
  const found = Object.entries(rules).flatMap(([kind, own]) =>
    own.flatMap((rule) => rule(evidence).map((finding) => ({ ...finding, kind: kind as Kind }))),
  );
  return gravestFirst(found);
}

export const gravestFirst = (found: readonly Finding[]): Finding[] =>
  found.toSorted((a, b) => gravity[a.severity] - gravity[b.severity]);

type Kind = NonNullable<Finding["kind"]>;

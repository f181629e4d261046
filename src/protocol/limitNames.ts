/** The thresholds that can be set by name; src/findings/limits.ts says what each is. */
export const limitNames: readonly string[] = [
  ...["halfMarginBits", "rowSum", "epsShare", "largeEpsShare", "usualEps", "lossExcess"],
  ...["depthGradient", "streamExponent", "branchDecline", "deadUnits", "entropy"],
  ...[
    "unscaledScores",
    "saturatedRms",
    "dropout",
    "biasTimes",
    "droppedTokens",
    "updateMost",
    "updateLeast",
  ],
  ...["smoothing", "lossGain", "gradientSpike", "lossRise"],
];

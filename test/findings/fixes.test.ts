/** Each fix takes its finding away when the model is run with it, and brings no other that is as grave. */
import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { findingFix, fixed } from "../../src/present/fixes/findingFixes.ts";
import type { Finding } from "../../src/protocol/report.ts";
import { endRuns, runClass } from "./runClass.ts";

afterAll(endRuns);

const file = "fixable.py";
const source = readFileSync(new URL(file, import.meta.url), "utf8");

/** Class, finding, and what the fix does. */
const cases = [
  ["SoftmaxAxis", "attention/softmax-axis", "softmaxAxis"],
  ["SoftmaxMethod", "attention/softmax-axis", "softmaxAxis"],
  ["ModelWidth", "attention/scale", "headWidth"],
  ["ScaleOfModel", "attention/scale", "headWidth"],
  ["Product", "attention/scale", "divideScores"],
  ["Unscaled", "attention/scale", "scaleScores"],
  ["ScaledTwice", "attention/scale", "scaleOnce"],
  ["OwnScale", "attention/scale", "dropScale"],
  ["OffByOne", "attention/sees-future", "hideFuture"],
  ["MaskOfOthers", "attention/mask-flipped", "turnMask"],
  ["MaskTurned", "attention/mask-flipped", "turnMask"],
  ["MaskZero", "attention/mask-weak", "hideByInfinity"],
  ["MaskAfter", "attention/row-sums", "maskBefore"],
  ["NoSoftmax", "attention/no-softmax", "useSoftmax"],
  ["TwiceSoftmax", "attention/softmax-twice", "softmaxOnce"],
  ["Capped", "attention/softcap", "capScores"],
  ["Divergence", "loss/divergence", "logProbabilities"],
  ["Column", "loss/shapes", "squeezeColumn"],
  ["MaskedMean", "loss/masked-mean", "meanOfKept"],
  ["NoMask", "model/reads-future", "isCausal"],
  ["MaskLost", "model/reads-future", "keepMasked"],
  ["ViewedHeads", "attention/mixed-axes", "transposeHeads"],
  ["JoinedHeads", "attention/mixed-axes", "transposeHeads"],
  ["Dropped", "model/dropout-in-eval", "dropInTraining"],
  ["AttentionDropped", "model/dropout-in-eval", "dropInTraining"],
  ["SkipNormed", "norm/skip-path", "normBranch"],
  ["NoFinalNorm", "norm/no-final", "closingNorm"],
  ["LostSum", "block/lost-sum", "keepSum"],
  ["NameMissed", "init/missed", "endOfName"],
  ["Unregistered", "parameters/unregistered", "registerModules"],
  ["SharedLayers", "parameters/shared-layers", "separateLayers"],
  ["Unshifted", "loss/unshifted", "shiftTargets"],
  ["OverPositions", "loss/softmax-axis", "softmaxAxis"],
  ["NoLogarithm", "loss/no-logarithm", "crossEntropy"],
  ["EpsOutside", "norm/eps-outside", "epsInside"],
  ["EpsOnOneLine", "norm/eps-outside", "epsInside"],
  ["BatchMean", "model/loses-samples", "overPositions"],
] as const;

test.each(cases)("%s: %s is mended by %s", async (entry, code, kind) => {
  const { findings } = await runClass(file, entry);
  const finding = findings.find((one) => one.code === code);
  expect(findings.map((one) => one.code)).toContain(code);
  const fix = finding && findingFix(finding, source);
  expect(fix?.kind, JSON.stringify(finding)).toBe(kind);
  if (!fix) return;
  const again = await runClass(file, entry, {}, fixed(source, fix));
  expect(again.findings.filter((one) => one.code === code)).toEqual([]);
  const before = grave(findings);
  expect(grave(again.findings).filter((one) => !before.includes(one))).toEqual([]);
});

const grave = (findings: readonly Finding[]): string[] =>
  findings
    .filter(({ severity, code }) => severity === "error" && !code.startsWith("numbers/"))
    .map(({ code }) => code);

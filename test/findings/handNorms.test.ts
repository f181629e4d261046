/** Mistakes in the arithmetic of norms that are written by hand. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("handNorms.py", {
  DividedBySquare: ["norm/power", "self.gain * x / (square + self.eps)"],
  DividedByVariance: ["norm/power", "(x - mean) / (spread + self.eps) * self.gain"],
  DividedByTorchVariance: ["norm/power", "h = (x - mean) / (spread + self.eps)"],
  DividedBySquaredSpread: ["norm/power", "x.std(-1, keepdim=True).pow(2)"],
  TimesRoot: ["norm/power", "self.gain * (x * (x * x).mean"],
  TimesReciprocal: ["norm/power", "torch.reciprocal(h.square()"],
  OnlySigns: ["norm/power", "self.gain * x * torch.rsqrt(x.pow(2) + self.eps)"],
  OnlySignsInSteps: ["norm/power", "return x / (rms + self.eps) * self.gain"],
  NoMean: ["norm/mean", "x * torch.rsqrt(spread + self.eps)"],
  NoMeanInSquares: ["norm/mean", "centred / x.pow(2).mean"],
  OverPositions: ["norm/axis", "self.gain * ((x - mean) / (spread"],
  RmsOverPositions: ["norm/axis", "x / torch.linalg.norm(x, dim=-2"],
});

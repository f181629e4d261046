/** Mistakes that a model runs with and that no number shouts of. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("kinds.py", {
  RoundedInputs: ["parameters/gradient-cut", "(8 * x).round() / 8"],
  SignsAlone: ["parameters/gradient-cut", "torch.sign(x)"],
  ZerosBoth: ["init/constant", "self.low ="],
  ShutGate: ["units/saturated", "torch.sigmoid(self.gate(x))"],
  EpsOnQuotient: ["norm/eps-outside", "var.sqrt() + 1e-5"],
  BatchOverPositions: ["norm/batch-axis", "self.feed(self.n2(x))"],
  ShiftedTwice: ["loss/shift", "targets[:, 1:]"],
  HalfCounted: ["init/positions", "+ self.table"],
  FirstSample: ["model/loses-samples", "x[:, 0] if self.right else x[0]"],
  Turned: ["attention/queries-elsewhere", "self.cross(query, keys"],
});

/** Mistakes in what a block multiplies and adds. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("branches.py", {
  HalvedStream: ["block/scaled-stream", "x = 0.5 * x + self.attn"],
  WeighedStream: ["block/scaled-stream", "residual = x * self.scale"],
  LostStream: ["block/scaled-stream", "skip = x.mul(0)"],
  ZeroBranch: ["block/zero-branch", "self.scale * self.mlp"],
  BranchTwice: ["block/branch-twice", "return x + a"],
  BranchTwiceInOne: ["block/branch-twice", "self.mlp(self.n2(x)) + a"],
});

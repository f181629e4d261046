/** Mistakes with gradients, sums and splits. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("streams.py", {
  OfBranch: ["parameters/gradient-cut", "self.n1(x.detach())"],
  OfStream: ["parameters/gradient-cut", "return x.detach() + self.mlp"],
  OfValues: ["parameters/gradient-cut", "return q, k, v.detach()"],
  TiedTable: ["parameters/gradient-cut", "x = self.emb(idx)"],
  UnreadPart: ["parameters/unread-part", "self.qkv(x).chunk(3"],
  StreamTwice: ["block/stream-twice", "return x + x + self.mlp"],
  OlderStream: ["block/lost-sum", "return x + self.mlp(self.n2(y))"],
  DrawnGains: ["init/norm-gain", null],
});

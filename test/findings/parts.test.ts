/** Mistakes in a block, a loss or an initialisation. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("parts.py", {
  NoActivation: ["units/no-activation", "self.down(self.act(h))"],
  LoudTanh: ["units/saturated", "torch.tanh(100 * x)"],
  AlwaysDropped: ["model/dropout-in-eval", "F.dropout("],
  AttentionDropped: ["model/dropout-in-eval", "F.scaled_dot_product_attention"],
  SameColumns: ["init/positions", "+ self.table["],
  SameRows: ["init/positions", "+ self.table["],
  ReluLogits: ["loss/activated-logits", "F.relu(logits)"],
  OfLogits: ["loss/no-logarithm", "self.head("],
  OverPositions: ["loss/softmax-axis", "F.log_softmax(logits, dim=1)"],
  OfSigmoid: ["loss/double-softmax", "torch.sigmoid(logits)"],
  Constant: ["init/constant", "self.up, self.down = "],
  Zeros: ["init/constant", "self.emb, self.close"],
  LostSum: ["block/lost-sum", "y = x + self.attn"],
  ReplacedStream: ["block/stream-replaced", "return self.down(self.act(self.up"],
  SharedLayers: ["parameters/shared-layers", "self.blocks = "],
  BatchMean: ["model/loses-samples", "x.mean(0)"],
  HalfNear: ["numbers/half-margin", ".half().mul("],
  Growing: ["depth/stream-growth", "return x + self.factor"],
  DeadBranches: ["depth/dead-branches", "return x + self.factor"],
  Exploding: ["depth/exploding", "return x + self.fc(x)"],
});

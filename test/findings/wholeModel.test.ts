/** Mistakes that a change of one token shows. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("wholeModel.py", {
  NoMask: ["model/reads-future", "torch.softmax(scores"],
  MaskThrownAway: ["model/reads-future", "torch.softmax(scores"],
  MaskAdded: ["attention/mask-weak", "scores + (~future_of"],
  MaskMultiplied: ["attention/mask-weak", "scores * (~future_of"],
  MaskZero: ["attention/mask-weak", "masked_fill(future_of(scores), 0.0)"],
  MaskPast: ["attention/mask-flipped", "masked_fill(~future_of(scores), -1e9)"],
  OverHeads: ["model/positions-apart", "torch.softmax(scores"],
  ShiftedTwice: ["loss/shift", "labels[:, 1:]"],
  PreviousToken: ["loss/shift", "idx[:, :-1]"],
  OtherOrder: ["loss/other-order", ".t().reshape"],
  PartlyShifted: ["loss/unshifted", "F.cross_entropy(logits[:, 1:]"],
  ClassesReshaped: ["loss/mixed-classes", "logits[:, :-1].reshape(idx.shape[0]"],
  LogTwice: ["loss/log-twice", "F.cross_entropy("],
  OpenLayer: ["attention/uneven-masks", "torch.softmax(scores"],
  OverPositions: ["model/reads-future", "x.pow(2).mean(-1 if self.right"],
  Stock: ["model/mixes-samples", "self.attn(y, y, y)"],
  StockPooled: ["model/mixes-samples", "self.attn(y, y, y)"],
  StockPatches: ["model/mixes-samples", "self.layer(x)"],
});

/** Mistakes with rotary positions and grouped heads. */
import { checkFaults } from "./checkFaults.ts";

checkFaults("rotary.py", {
  QueriesAlone: ["attention/rotary", "return x * cos"],
  WithValues: ["attention/rotary", "return x * cos"],
  Stretched: ["attention/rotary", "torch.cat((b, a)"],
  Still: ["attention/rotary", "return x * cos"],
  AlongHeads: ["attention/rotary", "return x * cos"],
  KeysAsAWhole: ["attention/head-groups", "x.repeat(1, times, 1, 1)"],
  ValuesAsAWhole: ["attention/head-groups", "x.repeat(1, times, 1, 1)"],
  AlongPositions: ["attention/head-groups", "x[:, :, :, None].expand"],
  NoOffset: ["attention/causal-offset", "F.scaled_dot_product_attention"],
  Restarted: ["attention/rotary", "return x * cos"],
});

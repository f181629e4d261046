/** Mistakes of caches of keys and values. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("caches.py", {
  NewInFront: ["attention/cache", "torch.cat((k, past[0]), dim=2)"],
  ValuesInFront: ["attention/cache", "torch.cat((v, past[1]), dim=2)"],
  Stale: ["attention/cache", "torch.cat((past[0], k), dim=2)"],
  FirstLayers: ["attention/cache", "torch.cat((past[0], k), dim=2)"],
  Restarted: ["attention/cache", "self.pos(places)"],
  RestartedSines: ["attention/cache", "self.table[places]"],
  Unread: ["attention/cache", "scores.masked_fill(~keep"],
  KeysAsValues: ["attention/cache", "torch.cat([keys, k], dim=-2)"],
  StaleObject: ["attention/cache", "torch.cat([keys, k], dim=-2)"],
  RestartedParameter: ["attention/cache", "self.pos[start"],
  UnreadObject: ["attention/cache", "F.scaled_dot_product_attention"],
  LayerBefore: ["attention/cache", "torch.cat([keys, k], dim=-2)"],
});

test.each(["Branches", "Joint"])("%s is no mistake", async (entry) => {
  expect((await runClass("caches.py", entry)).findings).toEqual([]);
});

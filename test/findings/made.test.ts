/** Mistakes in how parameters are made and tied. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("made.py", {
  EmptyPlaces: ["init/unwritten", "self.pos = nn.Parameter(torch.empty(length, dim))"],
  EmptyGains: ["init/unwritten", "self.gain = nn.Parameter(torch.Tensor(dim))"],
  Untied: ["parameters/tie-broken", "self.tok = nn.Embedding(vocabulary, dim)"],
  UntiedWithin: ["parameters/tie-broken", "self.tok = Tokens(dim)"],
  UntiedWeight: ["parameters/tie-broken", "self.head.weight = nn.Parameter(torch.randn"],
});

test.each(["EmptyForLoading", "OtherHead"])("%s is no mistake", async (entry) => {
  expect((await runClass("made.py", entry)).findings).toEqual([]);
});

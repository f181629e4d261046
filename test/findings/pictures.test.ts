/** Pictures and tokens that become each other by a reshape alone. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("pictures.py", {
  ByView: ["model/reshaped-image", "image.reshape(B, self.tokens"],
  ByTwoViews: ["model/reshaped-image", "cells.reshape(B, (H // p)"],
  OfConvolution: ["model/reshaped-image", "x.reshape(B, self.tokens, -1)"],
  OfUnfolding: ["model/reshaped-image", "x.view(B, x.shape[2], x.shape[1])"],
  ToPicture: ["model/reshaped-image", "return x.reshape(x.shape[0], 3, 32, 32)"],
  ToFeatures: ["model/reshaped-image", "self.up(x.reshape(x.shape[0], -1, 4, 4))"],
});

test("rows as tokens are no mistake", async () => {
  const { findings } = await runClass("pictures.py", "RowsAsTokens");
  expect(findings.map(({ code }) => code)).not.toContain("model/reshaped-image");
});

/** Mistakes in what a model begins with: initialisation, embeddings, dropout. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("beginnings.py", {
  ZeroGains: ["init/norm-gain", "self.n1, self.n2, self.attn"],
  ZeroRms: ["init/norm-gain", "self.gain = nn.Parameter"],
  DrawnBiases: ["init/bias", "self.proj = heads, nn.Linear"],
  ZeroScores: ["init/constant", "F.scaled_dot_product_attention"],
  PositionsTwice: ["model/positions-twice", "x + self.pos(torch.arange"],
  SinusoidsTwice: ["model/positions-twice", "return x + self.table"],
  ScaledTwice: ["model/scaled-twice", "x * self.dim**0.5"],
  FrozenLayer: ["parameters/frozen", "self.n1, self.n2, self.attn"],
  KeepShare: ["model/dropout-share", "return x + self.drop("],
  DroppedLogits: ["loss/dropped-logits", "self.drop(self.head(x))"],
});

test("what a made-up loss compares may be dropped", async () => {
  const { findings } = await runClass("beginnings.py", "DroppedEmbedding");
  expect(findings.map(({ code }) => code)).not.toContain("loss/dropped-logits");
});

test("norms that end branches may start at 0", async () => {
  expect((await runClass("beginnings.py", "ZeroOnPurpose")).findings).toEqual([]);
});

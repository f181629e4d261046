/** Mistakes of losses. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("losses.py", {
  Logits: ["loss/divergence", "F.kl_div(given, wanted"],
  Shares: ["loss/divergence", "nn.KLDivLoss("],
  Swapped: ["loss/divergence", "F.kl_div(smooth, logs"],
  LogTarget: ["loss/divergence", "log_target=self.right"],
  Smoothed: ["loss/smoothing", "label_smoothing=share"],
  SmoothedModule: ["loss/smoothing", "criterion(logits"],
  Likelihood: ["loss/unshifted", "F.nll_loss(logs.view"],
  Gathered: ["loss/unshifted", "logs.gather(2"],
  OneHot: ["loss/unshifted", "F.kl_div(logs, wanted"],
  TwoAhead: ["loss/shift", "idx[:, ahead:, None]"],
  Squared: ["loss/shapes", "F.mse_loss(found, wanted)"],
  Absolute: ["loss/shapes", "nn.L1Loss()(wanted, found)"],
  Negative: ["loss/sign", "else -loss"],
  Likely: ["loss/sign", "chosen = F.log_softmax"],
  LikelyUnderMask: ["loss/sign", "chosen = torch.gather"],
  MeanOfMean: ["loss/divided-twice", "loss / (B * T)"],
  MeanByLength: ["loss/divided-twice", "loss / logits.size(1)"],
  Turned: ["loss/other-order", "F.cross_entropy(logits.reshape"],
  TurnedTargets: ["loss/other-order", "F.nll_loss(logits.log_softmax"],
  LastOnly: ["loss/one-position", "logits[:, -1], targets[:, -1]"],
  LastIndexed: ["loss/one-position", "F.cross_entropy(logits.reshape"],
  WrittenOut: ["loss/shapes", "(found - wanted) ** 2"],
});

test.each(["Ranked", "Distilled", "InParts"])("%s is no mistake", async (entry) => {
  expect((await runClass("losses.py", entry)).findings).toEqual([]);
});

test.each(["ignored", "product", "rows", "shares"])("padding is left out: %s", async (kind) => {
  const { findings } = await runClass("losses.py", "Masked", { kind: `"${kind}"` });
  expect(findings).toEqual([]);
});

/** What each head's entropy is does not depend on where the mask is put. */
import { expect, test } from "vitest";
import { runClass } from "./runClass.ts";

async function meanEntropy(form: string): Promise<number> {
  const { attention } = await runClass("maskedHeads.py", "Masked", { form });
  const entropies = (attention[0]?.heads ?? []).map(({ entropy }) => Number(entropy));
  return entropies.reduce((sum, it) => sum + it, 0) / entropies.length;
}

test.each(["flat", "over"])("%s", async (form) => {
  expect(await meanEntropy(form)).toBeCloseTo(await meanEntropy("plain"), 5);
});

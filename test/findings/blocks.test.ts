/** Mistakes in the residual path of blocks. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

checkFaults("blocks.py", {
  OfAttention: ["block/stream-replaced", "return self.proj("],
  OfGated: ["block/stream-replaced", "self.down(F.silu"],
  OfPostFeed: ["block/stream-replaced", "self.down(F.gelu"],
  OfPostAttention: ["block/stream-replaced", "return self.proj("],
  OfBranchAsStream: ["block/stream-replaced", "return self.proj("],
  OfPostOlder: ["block/lost-sum", "return self.n2((h if self.right else x)"],
  OfMixedSkip: ["norm/skip-path", "h = self.n2(x)"],
  PairsFeed: ["block/stream-replaced", "self.down(F.gelu"],
  PairsAttention: ["block/stream-replaced", "return self.proj("],
  OfReaders: ["block/stream-replaced", "y, _ = self.read(x, memory, memory)"],
  Alone: ["block/stream-replaced", "return self.proj("],
});

test("a decoder's layer may take its memory first", async () => {
  const { findings } = await runClass("blocks.py", "OfMemoryFirst");
  expect(findings.filter(({ code }) => code.startsWith("block/"))).toEqual([]);
});

test("a gate between stream and branch carries the stream", async () => {
  expect((await runClass("blocks.py", "OfGates")).findings).toEqual([]);
});

import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import type { Engine } from "./engineClient.ts";
import { jobsThatFit, shareOut } from "./jobs.ts";

function engines(jobs: number) {
  const told: string[] = [];
  let n = 0;
  return {
    told,
    jobs,
    start: () => ({ id: ++n }) as unknown as Engine,
    end: async (engine: Engine) => {
      told.push(`end ${(engine as unknown as { id: number }).id}`);
    },
  };
}

test("gives every item to an engine that has time for it", async () => {
  const own = engines(2);
  let most = 0;
  let now = 0;
  const done: string[] = [];
  let endLong = () => {};
  const othersAreDone = new Promise<void>((resolve) => {
    endLong = resolve;
  });
  await shareOut(["long", "a", "b", "c"], own, async (item) => {
    most = Math.max(most, ++now);
    if (item === "long") await othersAreDone;
    else await sleep(0);
    now--;
    done.push(item);
    if (item === "c") endLong();
  });
  expect(done).toEqual(["a", "b", "c", "long"]);
  expect(most).toBe(2);
  expect(own.told.toSorted()).toEqual(["end 1", "end 2"]);
});

test("begins nothing behind an error, and ends all engines before it is told", async () => {
  const own = engines(2);
  const begun: number[] = [];
  const work = shareOut([1, 2, 3, 4], own, async (item) => {
    begun.push(item);
    await sleep(item);
    if (item === 1) throw new Error("cancelled");
  });
  await expect(work).rejects.toThrow("cancelled");
  expect(begun).toEqual([1, 2]);
  expect(own.told).toHaveLength(2);
});

test("starts no more engines than there are items, and one at least", async () => {
  const own = engines(8);
  await shareOut(["a"], own, async () => undefined);
  expect(own.told).toEqual(["end 1"]);
  expect(jobsThatFit()).toBeGreaterThan(0);
});

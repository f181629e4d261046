import { expect, test } from "vitest";
import type { NormscopeError } from "../errors.ts";
import {
  checkMemory,
  checkWeights,
  estimateMemory,
  type MemoryQuestion,
  memoryBefore,
} from "./memoryCheck.ts";

const question = (
  weights: number,
  values: number,
  free: number,
  shape: readonly number[] | null = [8, 512],
): MemoryQuestion => ({
  needs: { weightsBytes: weights * 1e9, activationsBytes: values * 1e9, workspaceBytes: 0 },
  before: { freeBytes: free * 1e9, heldBytes: 0, mostHeldBytes: 0 },
  shape,
  isForced: false,
});

function hintOf(asked: MemoryQuestion): string {
  try {
    checkMemory(asked, "this machine", null);
  } catch (error) {
    return (error as NormscopeError).hint ?? "";
  }
  return "it fits";
}

test("a run that fits is told with its numbers", () => {
  expect(checkMemory(question(1, 2, 4), "this machine", null)).toMatchObject({
    neededBytes: 3e9,
    freeBytes: 4e9,
    place: "this machine",
  });
});

test("a run that does not fit is refused with both numbers, and what would fit", () => {
  const asked = question(1, 8, 5);
  expect(() => checkMemory(asked, "this machine", null)).toThrowErrorMatchingInlineSnapshot(
    `[NormscopeError: The run needs some 9.0 GB (weights 1.0 GB, values 8.0 GB); this machine has 5.0 GB free]`,
  );
  expect(hintOf(asked)).toContain("a batch of 4 in place of 8");
  expect(hintOf(question(1, 80, 2))).toContain(
    "a batch of 1 with a sequence of 51 in place of 512",
  );
  expect(hintOf(question(1, 80, 2, null))).toContain("1 % of the layers");
  expect(hintOf(question(10, 1, 5))).toContain("50 % of the parameters");
  expect(checkMemory({ ...asked, isForced: true }, "this machine", null).neededBytes).toBe(9e9);
});

test("on a GPU its own memory counts, and the machine's for the weights", () => {
  expect(() => checkMemory(question(1, 8, 100), "NVIDIA T4", 5e9)).toThrow("NVIDIA T4 has 5.0 GB");
  expect(() => checkMemory(question(3, 1, 2), "NVIDIA T4", 16e9)).toThrow(
    "this machine has 2.0 GB",
  );
  expect(checkMemory(question(1, 8, 2), "NVIDIA T4", 16e9).place).toBe("NVIDIA T4");
});

test("an estimate says of what would be refused what would fit", () => {
  const fitOf = (asked: MemoryQuestion, gpuFree: number | null) =>
    estimateMemory(asked, "NVIDIA T4", gpuFree).wouldFit;
  expect(fitOf(question(1, 2, 4), null)).toBeNull();
  expect(fitOf(question(1, 8, 5), null)).toBe("a batch of 4 in place of 8");
  expect(fitOf(question(1, 8, 100), 5e9)).toBe("a batch of 4 in place of 8");
  expect(fitOf(question(1, 2, 4), 16e9)).toBeNull();
  expect(fitOf(question(4, 1, 2), 16e9)).toContain("50 % of the parameters");
});

test("weights are looked at before they are made", () => {
  expect(() => checkWeights(3e9, 2e9, false)).toThrow("weights 3.0 GB");
  expect(() => checkWeights(3e9, 2e9, true)).not.toThrow();
});

test("knows what this process holds", () => {
  const { freeBytes, heldBytes, mostHeldBytes } = memoryBefore();
  expect(freeBytes).toBeGreaterThan(0);
  expect(mostHeldBytes).toBeGreaterThanOrEqual(heldBytes * 0.9);
});

import { expect, test } from "vitest";
import { createGenerator } from "./engine.ts";

test("is the Mersenne Twister", () => {
  // The C++ standard states the 10000th number of std::mt19937 with its default seed.
  const gen = createGenerator(5489);
  gen.skip(9999);
  expect(gen.random32()).toBe(4123659995);
});

test("skips what it would have drawn", () => {
  for (const before of [0, 1, 623, 624, 625]) {
    for (const count of [0, 1, 3, 623, 624, 625, 1247, 1248, 5000]) {
      const [drawing, skipping] = [createGenerator(1), createGenerator(1)];
      drawing.draw(before);
      drawing.draw(count);
      skipping.draw(before);
      skipping.skip(count);
      expect(skipping.getState()).toEqual(drawing.getState());
      expect(skipping.random32()).toBe(drawing.random32());
    }
  }
});

test("puts the first of two draws into the upper half of 64 bits", () => {
  const [words, pairs] = [createGenerator(2), createGenerator(2)];
  const [high, low] = [words.random32(), words.random32()];
  expect(pairs.random64()).toBe((BigInt(high) << 32n) | BigInt(low));
});

test("seeds with 64 bits, of which the lower 32 matter", () => {
  const gen = createGenerator(-1);
  expect(gen.initialSeed()).toBe(2n ** 64n - 1n);
  expect(gen.random32()).toBe(createGenerator(0xffffffff).random32());
  gen.manualSeed(8);
  expect(gen.getState()).toEqual(createGenerator(8).getState());
  const entropy = gen.seed();
  expect(gen.getState()).toEqual(createGenerator(entropy).getState());
});

test("copies its state out and in", () => {
  const gen = createGenerator(3);
  gen.draw(1000);
  gen.keepNormal(0.5);
  const state = gen.getState();
  const copy = createGenerator(0);
  copy.setState(state);
  gen.draw(1000);
  expect(gen.takeNormal()).toBe(0.5);
  copy.draw(1000);
  expect([copy.takeNormal(), copy.takeNormal()]).toEqual([0.5, null]);
  expect(copy.random32()).toBe(gen.random32());
});

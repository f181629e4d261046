import vm from "node:vm";
import { expect, test } from "vitest";
import { copyPlain } from "./plain.ts";

test("a copy is made of this realm's objects, at every depth", () => {
  const foreign: unknown = vm.runInNewContext(
    "({ list: [1, { half: new Float32Array([0.5]) }], none: null, big: 2n ** 60n })",
  );
  const copy = copyPlain(foreign) as { list: [number, { half: Float32Array }]; none: null };
  expect(copy.list).toBeInstanceOf(Array);
  expect(copy.list[1].half).toBeInstanceOf(Float32Array);
  expect({ ...copy }).toEqual({
    list: [1, Object.assign(Object.create(null), { half: new Float32Array([0.5]) })],
    none: null,
    big: 2n ** 60n,
  });
});

test("a key that names a prototype is a key", () => {
  const copy = copyPlain(JSON.parse('{"__proto__": {"x": 1}}')) as Record<string, unknown>;
  expect(Object.getPrototypeOf(copy)).toBe(null);
  expect(Object.keys(copy)).toEqual(["__proto__"]);
});

test.each([
  [() => 1, "Plain values only: got a function"],
  [Symbol("s"), "Plain values only: got a symbol"],
  [[new DataView(new ArrayBuffer(1))], "Plain arrays only: got a DataView"],
])("refuses %s", (value, message) => {
  expect(() => copyPlain(value)).toThrow(message);
});

import { expect, test } from "vitest";
import type { FunctionSource } from "./assembler.ts";
import { assemble, i32, i32x4, v128 } from "./assembler.ts";

function run(source: FunctionSource, ...parameters: number[]): Int32Array {
  const instance = new WebAssembly.Instance(new WebAssembly.Module(assemble(1, [source])));
  (instance.exports[source.name] as (...parameters: number[]) => void)(...parameters);
  return new Int32Array((instance.exports["memory"] as WebAssembly.Memory).buffer);
}

test("writes constants of every length", () => {
  for (const value of [0, 63, 64, -64, -65, 8191, 8192, 0x7fffffff, -0x80000000]) {
    const memory = run(
      {
        name: "write",
        parameters: ["i32"],
        body: (f, address) => {
          const sum = f.keep(i32x4.add(i32x4.const(value), i32x4.const(1)));
          f.run(v128.store(i32.sub(address, i32.const(value)), sum, 4096));
        },
      },
      value,
    );
    expect(memory[1024]).toBe((value + 1) | 0);
  }
});

test("loops while the condition is not zero, in nested loops too", () => {
  const memory = run(
    {
      name: "count",
      parameters: ["i32"],
      body: (f, rounds) => {
        const outer = f.variable("i32", rounds);
        const total = f.variable("v128", i32x4.const(0));
        f.loop(() => {
          const inner = f.variable("i32", i32.const(3));
          f.loop(() => {
            total.set(i32x4.add(total.get, i32x4.const(1)));
            inner.set(i32.sub(inner.get, i32.const(1)));
            return inner.get;
          });
          outer.set(i32.sub(outer.get, i32.const(1)));
          return outer.get;
        });
        f.run(v128.store(i32.const(0), total.get));
      },
    },
    5,
  );
  expect(memory[0]).toBe(15);
});

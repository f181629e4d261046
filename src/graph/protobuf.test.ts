import { BinaryReader } from "@bufbuild/protobuf/wire";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { createProtoWriter } from "./protobuf.ts";

test("writes what another implementation reads", () => {
  void fc.assert(
    fc.property(
      fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
      fc.float({ noNaN: true }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.uint8Array({ maxLength: 300 }),
      (int, float, text, bytes) => {
        const out = createProtoWriter(1);
        out.message(200, () => {
          out.int(1, int);
          out.float(2, float);
          out.message(3, () => out.string(4, text));
          out.bytes(5, bytes);
        });
        const outer = new BinaryReader(out.finish());
        expect(outer.tag()[0]).toBe(200);
        const inner = new BinaryReader(outer.bytes());
        expect([inner.tag()[0], Number(inner.int64())]).toEqual([1, int]);
        expect([inner.tag()[0], inner.float()]).toEqual([2, float]);
        expect(inner.tag()[0]).toBe(3);
        const innermost = new BinaryReader(inner.bytes());
        expect([innermost.tag()[0], innermost.string()]).toEqual([4, text]);
        expect([inner.tag()[0], inner.bytes()]).toEqual([5, bytes]);
        expect([inner.pos, outer.pos]).toEqual([inner.len, outer.len]);
      },
    ),
  );
});

test("keeps what ends where its buffer does", () => {
  for (let before = 0; before < 40; before++) {
    const out = createProtoWriter(32);
    for (let at = 0; at < before; at++) out.int(1, 0);
    out.string(2, "to");
    const reader = new BinaryReader(out.finish());
    for (let at = 0; at < before; at++) expect([reader.tag()[0], reader.int32()]).toEqual([1, 0]);
    expect([reader.tag()[0], reader.string()]).toEqual([2, "to"]);
  }
});

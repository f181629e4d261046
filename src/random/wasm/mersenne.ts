/** The Mersenne Twister's two inner loops (Matsumoto and Nishimura, 1998), four words at a time. */
import type { Body, Code, FunctionSource } from "./assembler.ts";
import { i32, i32x4, v128 } from "./assembler.ts";
import { stateAddress, stateWords } from "./layout.ts";

/** How far ahead of a word lies the one that it is combined with. */
const middle = 397;

const upperMask = i32x4.const(0x80000000);
const matrix = i32x4.const(0x9908b0df);
const one = i32x4.const(1);

const vectorBytes = 16;
const wordBytes = 4;

/** Replaces four words at `near`, each by a mix of itself, its successor and the word at `far`. */
function twistFour(f: Body, address: Code, near: number, far: number): void {
  const own = v128.load(address, near);
  const next = f.keep(v128.load(address, near + wordBytes));
  const mixed = i32x4.shrUnsigned(v128.bitselect(own, next, upperMask), i32.const(1));
  const ifOdd = v128.and(i32x4.neg(v128.and(next, one)), matrix);
  const twisted = v128.xor(v128.xor(v128.load(address, far), mixed), ifOdd);
  f.run(v128.store(address, twisted, near));
}

/**
 * Replaces the state by the next one, `times` ≥ 1 times. The four words after the state repeat its
 * new beginning, so that the vectors which reach over its end find what they need there.
 */
export const twist: FunctionSource = {
  name: "twist",
  parameters: ["i32"],
  body: (f, times) => {
    const end = stateAddress + stateWords * wordBytes;
    const wrapped = (stateWords - middle) * wordBytes;
    const lastStraight = stateAddress + wrapped - (wrapped % vectorBytes);
    const remaining = f.variable("i32", times);
    const address = f.variable("i32", i32.const(stateAddress));
    const advance = (): void => address.set(i32.add(address.get, i32.const(vectorBytes)));
    f.loop(() => {
      address.set(i32.const(stateAddress));
      f.loop(() => {
        twistFour(f, address.get, 0, middle * wordBytes);
        advance();
        return i32.sub(address.get, i32.const(lastStraight));
      });
      f.run(v128.store(i32.const(end), v128.load(i32.const(stateAddress))));
      twistFour(f, i32.const(lastStraight), 0, middle * wordBytes);
      address.set(i32.const(lastStraight + vectorBytes - wrapped));
      f.loop(() => {
        twistFour(f, address.get, wrapped, 0);
        advance();
        return i32.sub(address.get, i32.const(end - wrapped));
      });
      remaining.set(i32.sub(remaining.get, i32.const(1)));
      return remaining.get;
    });
  },
};

/** Tempers words at `source` into `target`, up to the address `end`, a multiple of 16 bytes on. */
export const temper: FunctionSource = {
  name: "temper",
  parameters: ["i32", "i32", "i32"],
  body: (f, source, target, end) => {
    const from = f.variable("i32", source);
    const to = f.variable("i32", target);
    f.loop(() => {
      const a = f.keep(v128.load(from.get));
      const b = f.keep(v128.xor(a, i32x4.shrUnsigned(a, i32.const(11))));
      const shifted7 = v128.and(i32x4.shl(b, i32.const(7)), i32x4.const(0x9d2c5680));
      const c = f.keep(v128.xor(b, shifted7));
      const shifted15 = v128.and(i32x4.shl(c, i32.const(15)), i32x4.const(0xefc60000));
      const d = f.keep(v128.xor(c, shifted15));
      f.run(v128.store(to.get, v128.xor(d, i32x4.shrUnsigned(d, i32.const(18)))));
      from.set(i32.add(from.get, i32.const(vectorBytes)));
      to.set(i32.add(to.get, i32.const(vectorBytes)));
      return i32.sub(to.get, end);
    });
  },
};

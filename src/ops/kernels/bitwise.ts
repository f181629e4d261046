/**
 * Bitwise arithmetic on integers in two's complement. JavaScript's operators keep 32 bits: more go
 * through BigInt.
 */

const narrow = (x: number): boolean => x === (x | 0);

export const bitAnd = (a: number, b: number): number =>
  narrow(a) && narrow(b) ? a & b : Number(BigInt(a) & BigInt(b));

export const bitOr = (a: number, b: number): number =>
  narrow(a) && narrow(b) ? a | b : Number(BigInt(a) | BigInt(b));

export const bitXor = (a: number, b: number): number =>
  narrow(a) && narrow(b) ? a ^ b : Number(BigInt(a) ^ BigInt(b));

/** The operands of a pickle's operations: numbers, texts and lines, read one after another. */

/** The pickle ends in the middle of an operation, or says what no pickle says. */
export class BadPickle extends Error {}

export function pickleBytes(bytes: Uint8Array, start: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;
  const move = (count: number): number => {
    if (!(count >= 0 && at + count <= bytes.length)) throw new BadPickle("it is cut short");
    at += count;
    return at - count;
  };
  const reader = {
    get position() {
      return at;
    },
    uint8: () => view.getUint8(move(1)),
    uint16: () => view.getUint16(move(2), true),
    int32: () => view.getInt32(move(4), true),
    uint32: () => view.getUint32(move(4), true),
    uint64: () => Number(view.getBigUint64(move(8), true)),
    float64: () => view.getFloat64(move(8)),
    take(count: number): Uint8Array {
      const from = move(count);
      return bytes.subarray(from, from + count);
    },
    text: (count: number) => new TextDecoder().decode(reader.take(count)),
    line(): string {
      const end = bytes.indexOf(0x0a, at);
      if (end < 0) throw new BadPickle("it is cut short");
      const text = reader.text(end - at);
      at = end + 1;
      return text;
    },
    /** Little-endian, two's complement. */
    long(count: number): bigint {
      if (count > longLimit) throw new BadPickle("it has a number of too many digits");
      let value = 0n;
      for (const [i, byte] of reader.take(count).entries()) value |= BigInt(byte) << BigInt(8 * i);
      return count === 0 ? 0n : BigInt.asIntN(8 * count, value);
    },
  };
  return reader;
}

const longLimit = 1024;

/** Writes protobuf's wire format: https://protobuf.dev/programming-guides/encoding/ */

export interface ProtoWriter {
  /** int64, int32, enum: as 64 bits, negative numbers in two's complement. */
  int(field: number, value: number): void;
  /** float: 32 bits. */
  float(field: number, value: number): void;
  string(field: number, text: string): void;
  bytes(field: number, bytes: Uint8Array): void;
  /** What `write` writes becomes an embedded message. */
  message(field: number, write: () => void): void;
  /** What was written so far: a view, overwritten by what follows. */
  finish(): Uint8Array;
}

const varintType = 0;
const lengthType = 2;
const fixed32Type = 5;

export function createProtoWriter(initialBytes = 1 << 16): ProtoWriter {
  let buffer = new Uint8Array(initialBytes);
  let view = new DataView(buffer.buffer);
  let end = 0;
  const utf8 = new TextEncoder();

  function reserve(length: number): void {
    if (end + length <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, end + length));
    larger.set(buffer.subarray(0, end));
    buffer = larger;
    view = new DataView(buffer.buffer);
  }

  function varint(value: number): void {
    reserve(10);
    putVarint(value);
  }

  /** Where there is room for it: what stands behind would not be there in a larger buffer. */
  function putVarint(value: number): void {
    if (value < 0) {
      negativeVarint(value);
      return;
    }
    let rest = value;
    while (rest >= 0x80) {
      buffer[end++] = (rest % 0x80) | 0x80;
      rest = Math.floor(rest / 0x80);
    }
    buffer[end++] = rest;
  }

  function negativeVarint(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest >= 0x80n) {
      buffer[end++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    buffer[end++] = Number(rest);
  }

  const tag = (field: number, type: number): void => varint(field * 8 + type);

  /** The length stands before what it measures: one byte is kept free and what follows moved if it needs more. */
  function measured(write: () => void): void {
    reserve(1);
    const start = ++end;
    write();
    const length = end - start;
    const more = varintLength(length) - 1;
    if (more > 0) {
      reserve(more);
      buffer.copyWithin(start + more, start, end);
    }
    end = start - 1;
    putVarint(length);
    end += length;
  }

  function text(value: string): void {
    reserve(value.length * 3);
    for (let at = 0; at < value.length; at++) {
      const code = value.charCodeAt(at);
      if (code >= 0x80) {
        end += utf8.encodeInto(value.slice(at), buffer.subarray(end)).written;
        return;
      }
      buffer[end++] = code;
    }
  }

  return {
    int(field, value) {
      tag(field, varintType);
      varint(value);
    },
    float(field, value) {
      tag(field, fixed32Type);
      reserve(4);
      view.setFloat32(end, value, true);
      end += 4;
    },
    string(field, value) {
      tag(field, lengthType);
      measured(() => text(value));
    },
    bytes(field, bytes) {
      tag(field, lengthType);
      varint(bytes.length);
      reserve(bytes.length);
      buffer.set(bytes, end);
      end += bytes.length;
    },
    message(field, write) {
      tag(field, lengthType);
      measured(write);
    },
    finish: () => buffer.subarray(0, end),
  };
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length++;
  return length;
}

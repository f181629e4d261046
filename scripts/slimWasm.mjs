/**
 * Takes exports out of a WebAssembly module. Python's exports thousands of functions for extension
 * modules to link with, and enters each into tables when it starts; there are no extension modules.
 */

const exportSection = 7;
const headerBytes = 8;

/** `bytes` without the exports that `keep(name)` refuses. */
export function slimWasm(bytes, keep) {
  const parts = [bytes.subarray(0, headerBytes)];
  let at = headerBytes;
  while (at < bytes.length) {
    const start = at;
    const id = bytes[at++];
    const size = readUnsigned(bytes, at);
    const end = size.next + size.value;
    const content = bytes.subarray(size.next, end);
    if (id === exportSection) {
      const slim = withoutExports(content, keep);
      parts.push(Uint8Array.of(id, ...unsigned(slim.length)), slim);
    } else parts.push(bytes.subarray(start, end));
    at = end;
  }
  return Buffer.concat(parts);
}

/** Each export: the length of its name, the name, a byte for its kind, an index. */
function withoutExports(content, keep) {
  const count = readUnsigned(content, 0);
  const kept = [];
  let at = count.next;
  for (let i = 0; i < count.value; i++) {
    const start = at;
    const length = readUnsigned(content, at);
    const nameEnd = length.next + length.value;
    const name = Buffer.from(content.subarray(length.next, nameEnd)).toString("utf8");
    at = readUnsigned(content, nameEnd + 1).next;
    if (keep(name)) kept.push(content.subarray(start, at));
  }
  return Buffer.concat([Uint8Array.from(unsigned(kept.length)), ...kept]);
}

/** LEB128 */
function readUnsigned(bytes, from) {
  let [value, shift, at] = [0, 0, from];
  for (;;) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, next: at };
    shift += 7;
  }
}

function unsigned(value) {
  const bytes = [];
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  return [...bytes, rest];
}

/**
 * The globals that Pyodide needs, for a realm that is neither Node nor a browser. Pyodide takes it
 * for the bare shell of a JavaScript engine, and so never looks for files, processes or sockets.
 */
import { outside } from "./outer.ts";

class Utf8Encoder {
  readonly encoding = "utf-8";

  encode(text = ""): Uint8Array {
    const bytes = new Uint8Array(3 * text.length);
    return bytes.slice(0, this.encodeInto(text, bytes).written);
  }

  encodeInto(text: string, bytes: Uint8Array): { read: number; written: number } {
    let written = 0;
    let read = 0;
    for (const character of text) {
      const encoded = utf8(character.codePointAt(0) ?? 0);
      if (written + encoded.length > bytes.length) break;
      bytes.set(encoded, written);
      written += encoded.length;
      read += character.length;
    }
    return { read, written };
  }
}

class OutsideDecoder {
  readonly encoding: string;

  constructor(label = "utf-8") {
    this.encoding = label;
  }

  decode(bytes?: Uint8Array): string {
    return bytes === undefined ? "" : outside.decode(this.encoding, bytes);
  }
}

function utf8(point: number): readonly number[] {
  const tail = (shift: number) => 0x80 | ((point >> shift) & 0x3f);
  if (point < 0x80) return [point];
  if (point < 0x800) return [0xc0 | (point >> 6), tail(0)];
  if (point < 0x10000) return [0xe0 | (point >> 12), tail(6), tail(0)];
  return [0xf0 | (point >> 18), tail(12), tail(6), tail(0)];
}

/** Bytes for `os.urandom`: the same in every run, so that a run can be repeated. */
let state = 0x9e3779b9;
function nextByte(): number {
  state ^= state << 13;
  state ^= state >>> 17;
  state ^= state << 5;
  return state & 0xff;
}

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Emscripten asks the shell for base64 text of `head -c<count> /dev/urandom`. */
function randomBase64(_command: string, args: readonly string[]): string {
  const count = Number(/-c(\d+)/.exec(args[1] ?? "")?.[1] ?? 0);
  let text = "";
  for (let done = 0; done < count; done += 3) {
    const bits = (nextByte() << 16) | (nextByte() << 8) | nextByte();
    const missing = Math.max(0, done + 3 - count);
    for (let shift = 18; shift >= 6 * missing; shift -= 6) text += alphabet[(bits >> shift) & 63];
    text += "=".repeat(missing);
  }
  return text;
}

function readAsset(path: string): Uint8Array {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const bytes = new Uint8Array(outside.assetSize(name));
  outside.readAsset(name, bytes);
  return bytes;
}

/** Pyodide prints its own misfortunes, of which the caller learns by an error. */
const silent = () => undefined;

const refused = () => {
  throw new Error("Not in this realm");
};

Object.assign(globalThis, {
  TextDecoder: OutsideDecoder,
  TextEncoder: Utf8Encoder,
  performance: { now: outside.now },
  console: { log: silent, warn: silent, error: silent },
  os: { system: randomBase64 },
  crypto: {
    getRandomValues(view: Uint8Array) {
      for (let i = 0; i < view.length; i++) view[i] = nextByte();
      return view;
    },
  },
  read: refused,
  load: refused,
  readbuffer: readAsset,
});

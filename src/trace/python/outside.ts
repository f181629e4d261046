/** Node's side of Pyodide's realm: see `Outside`. None of these functions may throw. */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { NormscopeError } from "../../errors.ts";
import { PythonFailure } from "./failure.ts";
import type { ReadableFolder } from "./folders.ts";
import { copyPlain, type Plain } from "./plain.ts";
import type { HostFailure, Outside } from "./realm/outside.ts";

export type HostFunction = (...args: Plain[]) => unknown;

export interface OutsideParts {
  readonly assets: string;
  /** By mount number; grows as folders are mounted. */
  readonly folders: readonly ReadableFolder[];
  readonly host: readonly HostFunction[];
}

const failed = Symbol("failed");

export function makeOutside({ assets, folders, host }: OutsideParts): Outside {
  const decoders = new Map<string, TextDecoder>();
  let failure: HostFailure | null = null;
  return {
    now: () => performance.now(),
    decode(label, bytes) {
      const decoder = decoders.get(label) ?? new TextDecoder(label);
      decoders.set(label, decoder);
      return decoder.decode(bytes);
    },
    write: (bytes) => void process.stderr.write(bytes),
    assetSize: (name) => statSync(join(assets, name)).size,
    readAsset: (name, into) => readWhole(join(assets, name), into),
    listFolder(mount, path) {
      const entries = folders[mount]?.list(path) ?? null;
      return entries === null ? "" : JSON.stringify(entries);
    },
    readFile: (mount, path, into) => folders[mount]?.read(path, into) ?? -1,
    callHost(index, args) {
      try {
        return host[index]?.(...args.map(ownCopy));
      } catch (error) {
        failure = hostFailure(error);
        return failed;
      }
    },
    takeFailure: () => JSON.stringify(failure),
  };
}

/** Most arguments are numbers and strings, which need none. */
function ownCopy(value: unknown): Plain {
  const isPrimitive = typeof value === "number" || typeof value === "string";
  return isPrimitive ? value : copyPlain(value);
}

function readWhole(file: string, into: Uint8Array): void {
  const descriptor = openSync(file, "r");
  try {
    const { size } = fstatSync(descriptor);
    let done = 0;
    while (done < size) done += readSync(descriptor, into, done, size - done, done);
  } finally {
    closeSync(descriptor);
  }
}

function hostFailure(error: unknown): HostFailure {
  if (error instanceof PythonFailure) {
    return { ...plainFailure(error), raised: error.description.number };
  }
  if (error instanceof NormscopeError) {
    const { code, hint } = error;
    const type = error.pythonType ?? "RuntimeError";
    // Python has the type beside the message, reports have it before it.
    const before = `${type}: `;
    const { message } = error;
    const text = message.startsWith(before) ? message.slice(before.length) : message;
    return { ...plainFailure(error), message: text, type, code, hint };
  }
  return plainFailure(error);
}

function plainFailure(error: unknown): HostFailure {
  const message = error instanceof Error ? error.message : String(error);
  return { type: "RuntimeError", message, code: null, hint: null, raised: null };
}

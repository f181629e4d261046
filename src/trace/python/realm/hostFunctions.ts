/** Host functions as Python sees them: called with plain values, raising Python's own exceptions. */
import { copyPlain } from "../plain.ts";
import { outside } from "./outer.ts";
import type { HostFailure } from "./outside.ts";
import type { Pyodide, PythonObject } from "./pyodide.ts";

/**
 * The function without a prototype: from Python, none of its attributes leads to a constructor.
 * `raise` is python/normscope_boot's, and does not return.
 */
export function hostFunction(pyodide: Pyodide, raise: PythonObject, index: number): unknown {
  const call = (...args: unknown[]): unknown => {
    for (let i = 0; i < args.length; i++) {
      const argument = args[i];
      if (typeof argument === "object" || typeof argument === "function") {
        args[i] = fromPython(argument, raise);
      }
    }
    const result = outside.callHost(index, args);
    if (typeof result === "symbol") return raiseFailure(raise);
    if (result === null) return undefined;
    if (typeof result === "object") return pyodide.toPy(copyPlain(result));
    return result;
  };
  return Object.setPrototypeOf(call, null);
}

function fromPython(argument: unknown, raise: PythonObject): unknown {
  if (argument === null) return null;
  try {
    return toPlain(argument as PythonObject);
  } catch {
    return raise("TypeError", "The host takes numbers, strings, bytes, lists and dicts of these");
  }
}

/** Lists, tuples, dicts with string keys and bytes as JavaScript's; throws for anything else. */
export function toPlain(value: unknown): unknown {
  const isProxy = typeof (value as PythonObject | null)?.toJs === "function";
  if (!isProxy) return copyPlain(value);
  return copyPlain(
    (value as PythonObject).toJs({ create_pyproxies: false, dict_converter: Object.fromEntries }),
  );
}

function raiseFailure(raise: PythonObject): unknown {
  const failure = JSON.parse(outside.takeFailure()) as HostFailure;
  const { type, message, code, hint, raised } = failure;
  return raise(type, message, code ?? undefined, hint ?? undefined, raised ?? undefined);
}

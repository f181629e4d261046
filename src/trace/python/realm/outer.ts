import type { Outside } from "./outside.ts";

/** The parameter of the function that scripts/build.mjs wraps around this bundle. */
declare const normscopeOutside: Outside;

/**
 * A function of Node's realm can fail there, if only for want of stack, and its error would carry
 * that realm along: it is dropped here, and one of this realm is thrown instead.
 */
function guard<A extends unknown[], R>(call: (...args: A) => R): (...args: A) => R {
  return (...args) => {
    try {
      return call(...args);
    } catch {
      throw new RangeError(unanswered);
    }
  };
}

const unanswered = "The host could not answer";
const given = normscopeOutside;

export const outside: Outside = {
  now: guard(given.now),
  decode: guard(given.decode),
  write: guard(given.write),
  assetSize: guard(given.assetSize),
  readAsset: guard(given.readAsset),
  listFolder: guard(given.listFolder),
  readFile: guard(given.readFile),
  callHost(index, args) {
    try {
      return given.callHost(index, args);
    } catch {
      throw new RangeError(unanswered);
    }
  },
  takeFailure: guard(given.takeFailure),
};

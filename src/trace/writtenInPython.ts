/** Calls that python/torch writes of other calls, for arguments that the table has no rule for. */

/** Ends a call of the host: Python takes it over, or refuses it in PyTorch's words. */
export class WrittenInPython extends Error {
  /** What PyTorch's backward pass needs of the call: ids of arguments, and names of results. */
  saves = " ";
}

export function leaveToPython(): never {
  throw new WrittenInPython();
}

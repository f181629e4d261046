/** Calls that python/torch writes of other calls, for arguments that the table has no rule for. */

/** Ends a call of the host: Python takes it over, or refuses it in PyTorch's words. */
export class WrittenInPython extends Error {
  /** What PyTorch's backward pass needs of the call: ids of arguments, and names of results. */
  saves: string | null = null;
}

export function leaveToPython(): never {
  throw new WrittenInPython();
}

/** For what is written of other calls in PyTorch too: each keeps what it needs. */
export function leavePartsToPython(): never {
  const left = new WrittenInPython();
  left.saves = " ";
  throw left;
}

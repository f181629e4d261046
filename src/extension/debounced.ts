/** Calls of a function that come in bursts, done once after the last. */
export interface Debounced {
  /** `delayMs` after the last of these calls, `work` is done. */
  schedule(delayMs: number): void;
  dispose(): void;
}

export function debounced(work: () => void): Debounced {
  let timer: NodeJS.Timeout | undefined;
  return {
    schedule(delayMs) {
      clearTimeout(timer);
      timer = setTimeout(work, delayMs);
    },
    dispose: () => clearTimeout(timer),
  };
}

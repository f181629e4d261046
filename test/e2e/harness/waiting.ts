/** Waiting for what comes in its own time. Machines under load are slow: a minute is no failure. */

export const patienceMs = 40_000;

export const sleep = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

type Awaitable<Value> = Value | Promise<Value>;

/** Asks until the answer is something, and gives that. */
export async function eventually<Answer>(
  what: string,
  ask: () => Awaitable<Answer | null | undefined | false>,
  limitMs = patienceMs,
): Promise<Answer> {
  const until = Date.now() + limitMs;
  let last = "no answer";
  while (Date.now() < until) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
      last = String(answer);
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(50);
  }
  throw new Error(`waited ${limitMs / 1000} s for ${what}; last: ${last}`);
}

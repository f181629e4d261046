/** Tests that run within the extension host: declared by name, run one after the other. */

export interface HostTest {
  readonly name: string;
  readonly run: () => Promise<void> | void;
}

const declared: HostTest[] = [];

export function test(name: string, run: HostTest["run"]): void {
  declared.push({ name, run });
}

const notes: string[] = [];

/** Printed below the test's own line. */
export const note = (line: string): void => void notes.push(line);

const testLimitMs = 120_000;

/** Prints a line for each test; rejects where one failed, which is how the editor hears of it. */
export async function runDeclared(print: (line: string) => void): Promise<void> {
  const failed: string[] = [];
  for (const { name, run } of declared) {
    const began = performance.now();
    try {
      await within(testLimitMs, run());
      print(`passed: ${name} (${(performance.now() - began).toFixed(0)} ms)`);
      for (const line of notes.splice(0)) print(`  ${line}`);
    } catch (error) {
      failed.push(name);
      print(`failed: ${name}\n${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  print(`${declared.length - failed.length} passed, ${failed.length} failed`);
  if (failed.length > 0) throw new Error(`failed in the editor: ${failed.join("; ")}`);
}

async function within(limitMs: number, work: Promise<void> | void): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${limitMs} ms`)), limitMs);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

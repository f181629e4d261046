/** The fuzzer: batches of random programs, compared, shrunk and printed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { keepPrograms } from "./keep.ts";
import { type Answer, type Made, type Oracle, type Program, startOracle } from "./oracle.ts";
import { type Find, shrink } from "./shrink.ts";
import { trace } from "./traced.ts";

export interface Options {
  readonly root: string;
  readonly python: string;
  readonly seed: number;
  /** Operations, not programs. */
  readonly count: number;
  readonly only: string | null;
  readonly special: boolean;
  /** Programs of one call and an edit of what it took or gave. */
  readonly edited: boolean;
  readonly type: string | null;
  /** Results that hang on the last digits are printed too. */
  readonly unsteady: boolean;
  /** The file that the programs in which something differs are added to. */
  readonly keep: string | null;
  /** Programs that are traced together; each walk backwards within one of them passes all. */
  readonly batch: number;
}

/** How often the inputs are moved, each time by chance. */
const nudges = 8;

interface Tally {
  operations: number;
  programs: number;
  refused: Map<string, number>;
  /** Results that hang on the last digits: PyTorch's own answer moves as far. */
  unsteady: number;
  finds: number;
}

interface Compared {
  readonly finds: Find[];
  readonly unsteady: Find[];
}

/** Whether no program differs. */
export async function fuzz(options: Options): Promise<boolean> {
  const { root, seed, count, only, special, edited, type } = options;
  const oracle = startOracle(options.python, join(root, "scripts/fuzz/oracle.py"));
  const harness = readFileSync(join(root, "scripts/fuzz/harness.py"), "utf8");
  const run = (programs: readonly Program[]) => trace(programs, harness, join(root, "dist/python"));
  const tally: Tally = { operations: 0, programs: 0, refused: new Map(), unsteady: 0, finds: 0 };
  const shown = new Set<string>();
  try {
    for (let batch = 0; tally.operations < count; batch++) {
      const wish = { seed: seed + batch, count: options.batch, only, special, edited, type };
      const made = (await oracle.make(wish)).filter(
        (one) => one !== null && one.program.lines.length > 0,
      ) as Made[];
      const { finds, unsteady } = await compareAll(made, await traceAll(made, run), oracle, tally);
      const small = await shrink(finds, oracle, run);
      const told = options.unsteady ? [...small, ...(await shrink(unsteady, oracle, run))] : small;
      for (const find of told) show(find, wish.seed, shown);
      if (options.keep !== null)
        keepPrograms(
          options.keep,
          small.map(({ program }) => program),
        );
      console.log(`seed ${wish.seed}: ${summary(tally)}`);
    }
  } finally {
    oracle.end();
  }
  printRefused(tally);
  return tally.finds === 0;
}

async function compareAll(
  made: readonly Made[],
  answers: readonly (Answer | null)[],
  oracle: Oracle,
  tally: Tally,
): Promise<Compared> {
  const finds: Find[] = [];
  const unsteady: Find[] = [];
  for (const [at, { program, answer }] of made.entries()) {
    tally.programs += 1;
    tally.operations += program.lines.length;
    const found = answers[at];
    if (!found) {
      finds.push({ program, difference: { kind: "ended", text: "the engine gave no answer" } });
      continue;
    }
    const { difference, refused } = compare(answer, found);
    if (refused !== null) tally.refused.set(refused, (tally.refused.get(refused) ?? 0) + 1);
    if (difference === null) continue;
    const isNumeric = /numbers$|^value$|^shape$/.test(difference.kind);
    const isLast = isNumeric && (await isUnsteady(program, answer, found, oracle));
    (isLast ? unsteady : finds).push({ program, difference });
  }
  tally.finds += finds.length;
  tally.unsteady += unsteady.length;
  return { finds, unsteady };
}

/** Whether PyTorch's own answer moves as far, wherever ours differs, when the last digits of its inputs do. */
async function isUnsteady(
  program: Program,
  wanted: Answer,
  found: Answer,
  oracle: Oracle,
): Promise<boolean> {
  const answers = await oracle.answer(new Array(nudges).fill(program), true);
  const moved = answers.filter((one) => one !== null);
  return compare(wanted, found, moved).difference === null;
}

/** Where a batch ends as a whole, its halves are tried: null for the program that does it. */
async function traceAll(
  made: readonly Made[],
  run: (programs: readonly Program[]) => Promise<Answer[]>,
): Promise<(Answer | null)[]> {
  try {
    return await run(made.map(({ program }) => program));
  } catch (error) {
    if (made.length === 1) {
      console.log(String(error).slice(0, 600));
      return [null];
    }
    const half = made.length >> 1;
    const first = await traceAll(made.slice(0, half), run);
    return [...first, ...(await traceAll(made.slice(half), run))];
  }
}

function show({ program, difference }: Find, seed: number, shown: Set<string>): void {
  const key = `${difference.kind} ${program.lines.join(";").replaceAll(/[^a-z_.]+/g, " ")}`;
  if (shown.has(key)) return;
  shown.add(key);
  console.log(`\n--- ${difference.kind} (seed ${seed})`);
  for (const { name, dtype, shape, data, grad } of program.leaves) {
    const numbers = data.join(", ").slice(0, 300);
    console.log(`${name} = ${dtype}[${shape}]${grad ? " grad" : ""} [${numbers}]`);
  }
  program.lines.forEach((line, at) => {
    console.log(`${at}: ${line}`);
  });
  console.log(`read ${program.order.join(" ")}\n  ${difference.text}`);
}

const summary = ({ operations, programs, finds, unsteady, refused }: Tally): string => {
  const refusals = [...refused.values()].reduce((a, b) => a + b, 0);
  return `${operations} operations in ${programs} programs, ${finds} differ, ${unsteady} hang on the last digits, ${refusals} with a call that is not supported`;
};

function printRefused({ refused }: Tally): void {
  const rows = [...refused].toSorted(([, a], [, b]) => b - a);
  if (rows.length > 0) console.log("\nnot supported:");
  for (const [text, count] of rows) console.log(`${String(count).padStart(5)}  ${text}`);
}

/** Takes lines, reads and gradients out of programs as long as they differ in the same way. */
import { compare, type Difference } from "./compare.ts";
import type { Answer, Oracle, Program } from "./oracle.ts";

export interface Find {
  readonly program: Program;
  readonly difference: Difference;
}

export type Trace = (programs: readonly Program[]) => Promise<Answer[]>;

const rounds = 12;
const mostAtOnce = 240;

/** All finds shrink together: each round tries every smaller program of each. */
export async function shrink(finds: readonly Find[], oracle: Oracle, trace: Trace) {
  let current = [...finds];
  const done = new Set<number>();
  for (let round = 0; round < rounds && done.size < current.length; round++) {
    const tries = current
      .flatMap((find, at) =>
        done.has(at) ? [] : smaller(find.program).map((program) => ({ at, program })),
      )
      .slice(0, mostAtOnce);
    if (tries.length === 0) break;
    const programs = tries.map(({ program }) => program);
    const [wanted, found] = await Promise.all([oracle.answer(programs), trace(programs)]);
    const better = new Map<number, Find>();
    tries.forEach(({ at, program }, i) => {
      const answer = wanted[i];
      const { difference } = answer ? compare(answer, found[i] as Answer) : { difference: null };
      const { kind } = (current[at] as Find).difference;
      if (difference?.kind === kind && !better.has(at)) better.set(at, { program, difference });
    });
    const tried = new Set(tries.map(({ at }) => at));
    for (const at of tried) if (!better.has(at)) done.add(at);
    current = current.map((find, at) => better.get(at) ?? find);
  }
  return current;
}

/** Programs with one thing less, the largest steps first. */
function smaller(program: Program): Program[] {
  const without = <T>(items: readonly T[], at: number) => items.filter((_, other) => other !== at);
  const lines = program.lines.map((_, at) => ({
    ...program,
    lines: without(program.lines, program.lines.length - 1 - at),
  }));
  const order = program.order.map((_, at) => ({ ...program, order: without(program.order, at) }));
  const constants = program.leaves.flatMap((leaf, at) =>
    leaf.grad ? [{ ...program, leaves: program.leaves.with(at, { ...leaf, grad: false }) }] : [],
  );
  const half = program.lines.length >> 1;
  const first = half > 1 ? [{ ...program, lines: program.lines.slice(0, half) }] : [];
  return [...first, ...lines, ...order, ...constants].map(withUsedLeaves);
}

function withUsedLeaves(program: Program): Program {
  const words = new Set(program.lines.join("\n").match(/\w+/g));
  const isUsed = (name: string) => words.has(name);
  return {
    leaves: program.leaves.filter(({ name }) => isUsed(name)),
    lines: program.lines,
    order: program.order.filter(isUsed),
  };
}

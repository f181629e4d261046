/** A first-order Markov source of 16 symbols: what can be learnt is known exactly. */

import table from "./markovTable.json" with { type: "json" };
import { entropy, generatorOf, nextSymbol, type Task, type TaskSize, uniform01 } from "./task.ts";

/** Rows by scripts/record-markov.py; every sequence starts in the stationary distribution. */
export function markov(size: TaskSize, seed: number): Task {
  const start = stationary(table);
  const sums = table.map(cumulative);
  const startSums = cumulative(start);
  return {
    vocabulary: table.length,
    reference: {
      unigram: entropy(start),
      floor: start.reduce((sum, p, row) => sum + p * entropy(table[row] ?? []), 0),
    },
    batch(index) {
      const gen = generatorOf(seed, index);
      return nextSymbol(size, () => {
        const symbols = [pick(startSums, uniform01(gen))];
        while (symbols.length <= size.seq)
          symbols.push(pick(sums[symbols.at(-1) ?? 0] ?? startSums, uniform01(gen)));
        return symbols;
      });
    },
  };
}

function cumulative(row: readonly number[]): number[] {
  let sum = 0;
  return row.map((p) => {
    sum += p;
    return sum;
  });
}

function pick(sums: readonly number[], u: number): number {
  const at = sums.findIndex((sum) => u < sum);
  return at < 0 ? sums.length - 1 : at;
}

/** π = π P, by repeated steps. */
function stationary(rows: readonly (readonly number[])[]): number[] {
  let now = rows.map(() => 1 / rows.length);
  for (let step = 0; step < 5000; step++)
    now = rows.map((_, to) => now.reduce((sum, p, from) => sum + p * (rows[from]?.[to] ?? 0), 0));
  return now;
}

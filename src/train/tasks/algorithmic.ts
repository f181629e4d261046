/** Tasks with a rule: copy, reverse, induction, addition modulo a number. */
import { taskNeedsLength, taskTooLarge } from "../errors.ts";
import { draw, generatorOf, nextSymbol, type Task, type TaskSize } from "./task.ts";

const noReference = { unigram: null, floor: 0 } as const;

/** a₁ … aₙ | a₁ … aₙ: the second half can be known. */
export const copy = (size: TaskSize, seed: number): Task =>
  halves("copy", size, seed, (symbols) => symbols);

/** a₁ … aₙ | aₙ … a₁. */
export const reverse = (size: TaskSize, seed: number): Task =>
  halves("reverse", size, seed, (symbols) => symbols.toReversed());

function halves(
  name: string,
  size: TaskSize,
  seed: number,
  answer: (symbols: number[]) => number[],
): Task {
  const { seq, vocabulary } = size;
  if (seq % 2 !== 0 || seq < 2) throw taskNeedsLength(name, "an even length", seq);
  needs(name, 3, vocabulary);
  const separator = vocabulary - 1;
  return {
    vocabulary,
    reference: noReference,
    batch(index) {
      const gen = generatorOf(seed, index);
      return nextSymbol(
        size,
        () => {
          const symbols = Array.from({ length: seq / 2 }, () => draw(gen, separator));
          return [...symbols, separator, ...answer(symbols)];
        },
        (_, position) => position >= seq / 2,
      );
    },
  };
}

/** Random symbols, repeated with a period that every row draws: what came after this one before? */
export function induction(size: TaskSize, seed: number): Task {
  const { seq, vocabulary } = size;
  if (seq < 4) throw taskNeedsLength("induction", "4 or more", seq);
  needs("induction", 2, vocabulary);
  return {
    vocabulary,
    reference: noReference,
    batch(index) {
      const gen = generatorOf(seed, index);
      const periods: number[] = [];
      return nextSymbol(
        size,
        () => {
          const period = 2 + draw(gen, (seq >> 1) - 1);
          periods.push(period);
          const symbols = Array.from({ length: period }, () => draw(gen, vocabulary));
          return Array.from({ length: seq + 1 }, (_, at) => symbols[at % period] ?? 0);
        },
        (_, position) => position >= (periods.at(-1) ?? 0),
      );
    },
  };
}

/** a b = c with c = a + b modulo the number of digits, one after another; c is asked for. */
export function modularAddition(size: TaskSize, seed: number): Task {
  const { seq, vocabulary } = size;
  if (seq < 3) throw taskNeedsLength("modular-addition", "3 or more", seq);
  needs("modular-addition", 3, vocabulary);
  const digits = vocabulary - 1;
  return {
    vocabulary,
    reference: noReference,
    batch(index) {
      const gen = generatorOf(seed, index);
      return nextSymbol(
        size,
        () => {
          const symbols: number[] = [];
          while (symbols.length <= seq) {
            const [a, b] = [draw(gen, digits), draw(gen, digits)];
            symbols.push(a, b, digits, (a + b) % digits);
          }
          return symbols;
        },
        (symbols, position) => symbols[position] === digits,
      );
    },
  };
}

function needs(name: string, least: number, vocabulary: number): void {
  if (vocabulary < least) throw taskTooLarge(name, least, vocabulary);
}

/** The process that has real PyTorch: makes programs and says what they give. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Leaf {
  readonly name: string;
  readonly dtype: string;
  readonly shape: readonly number[];
  readonly data: readonly (number | boolean | string)[];
  readonly grad: boolean;
}

export interface Program {
  readonly leaves: readonly Leaf[];
  readonly lines: readonly string[];
  /** The names that are read at the end, in this order. */
  readonly order: readonly string[];
}

export interface Numbers {
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Numbers, and "nan", "inf", "-inf"; parts of complex numbers beside each other. */
  readonly data: readonly (number | string)[];
}

export interface Answer {
  readonly tensors: Readonly<Record<string, Numbers & { readonly grad: boolean }>>;
  readonly values: Readonly<Record<string, string>>;
  /** By "line 3", by name, "loss", "backward": the exception and its text. */
  readonly errors: Readonly<Record<string, readonly [string, string]>>;
  /** Of the leaves with a gradient, in order. */
  readonly gradients: readonly (Numbers | null)[];
}

export interface Made {
  readonly program: Program;
  readonly answer: Answer;
}

export interface Wish {
  readonly seed: number;
  readonly count: number;
  readonly only: string | null;
  readonly special: boolean;
  readonly edited: boolean;
  /** The type of all leaves, where one is asked for. */
  readonly type: string | null;
}

/** A program that ends PyTorch's process has no answer: null. */
export interface Oracle {
  make(wish: Wish): Promise<(Made | null)[]>;
  /** `nudge`: with leaves whose last digits are others, by chance and the program's place. */
  answer(programs: readonly Program[], nudge?: boolean): Promise<(Answer | null)[]>;
  end(): void;
}

export function startOracle(python: string, script: string): Oracle {
  const child = spawn(python, [script], { stdio: ["pipe", "pipe", "inherit"] });
  const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  async function ask(request: object) {
    child.stdin.write(`${JSON.stringify(request)}\n`);
    const { done, value } = await replies.next();
    if (done) throw new Error("the process with PyTorch has ended");
    return JSON.parse(value);
  }
  return {
    make: (wish) => ask({ kind: "make", ...wish }),
    answer: (programs, nudge = false) => ask({ kind: "answer", programs, nudge }),
    end: () => child.stdin.end(),
  };
}

/**
 * Python's pickle without Python: a pickle is a program that may name any function of any module, and
 * here it can name those that the caller knows, by what they would give. Nothing is imported or run.
 */
import type { Tree } from "./checkpoint.ts";
import { BadPickle, pickleBytes } from "./pickleBytes.ts";

/** What stands on the pickle's stack: values, and what only the caller understands. */
export type Item<Own> = Tree | Global | { readonly kind: "own"; readonly own: Own };

export interface Global {
  readonly kind: "global";
  /** "torch._utils._rebuild_tensor_v2" */
  readonly name: string;
}

export interface PickleHost<Own> {
  /** Throws for what is not allowed. */
  find(name: string): Item<Own>;
  call(callee: Item<Own>, args: readonly Item<Own>[]): Item<Own>;
  /** A reference to what lies outside of the pickle. */
  persistent(id: Item<Own>): Item<Own>;
}

export interface Unpickled<Own> {
  readonly value: Item<Own>;
  /** Where the pickle ended. */
  readonly end: number;
}

const operationLimit = 50_000_000;

/** Throws BadPickle for what is no pickle, and what the host throws. */
export function unpickle<Own>(bytes: Uint8Array, host: PickleHost<Own>, start = 0): Unpickled<Own> {
  const input = pickleBytes(bytes, start);
  const stack: Item<Own>[] = [];
  /** Heights of the stack at each mark. */
  const marks: number[] = [];
  const memo = new Map<number, Item<Own>>();
  const keysOf = new WeakMap<object, Set<string>>();

  function pop(): Item<Own> {
    const item = stack.length > (marks.at(-1) ?? 0) ? stack.pop() : undefined;
    if (item === undefined) throw new BadPickle("it takes a value where there is none");
    return item;
  }
  function top(): Item<Own> {
    const item = pop();
    stack.push(item);
    return item;
  }
  function popMarked(): Item<Own>[] {
    const mark = marks.pop();
    if (mark === undefined) throw new BadPickle("it takes values where there are none");
    return stack.splice(mark);
  }
  const push = (item: Item<Own>) => void stack.push(item);
  const int = (value: bigint | number) => push({ kind: "int", value: BigInt(value) });
  const text = (value: string) => push({ kind: "text", value });
  const tuple = (count: number) => {
    const items = Array.from({ length: count }, pop).reverse();
    push({ kind: "tuple", items: items as Tree[] });
  };
  const get = (index: number) => {
    const item = memo.get(index);
    if (item === undefined) throw new BadPickle(`it refers to a value ${index} that is not there`);
    push(item);
  };
  function extend(items: readonly Item<Own>[]): void {
    const target = top();
    if (target.kind !== "list" && target.kind !== "set")
      throw new BadPickle("it appends to what is no list");
    for (const item of items) target.items.push(item as Tree);
  }
  function setItems(items: readonly Item<Own>[]): void {
    const target = top();
    if (target.kind !== "dict" && target.kind !== "ordered")
      throw new BadPickle("it sets an item of what is no dict");
    const keys = keysOf.get(target) ?? new Set();
    keysOf.set(target, keys);
    for (let i = 0; i + 1 < items.length; i += 2) {
      const [key, value] = [items[i] as Tree, items[i + 1] as Tree];
      if (key.kind === "text" && keys.has(key.value))
        throw new BadPickle(`the key '${key.value}' stands twice`);
      if (key.kind === "text") keys.add(key.value);
      target.entries.push([key, value]);
    }
  }
  function reduce(): void {
    const args = pop();
    const callee = pop();
    if (args.kind !== "tuple") throw new BadPickle("it calls with what is no tuple");
    push(host.call(callee, args.items));
  }
  function build(): void {
    pop();
    const target = top();
    // The attributes of an OrderedDict (its _metadata) say nothing that is needed here.
    if (target.kind !== "ordered" && target.kind !== "tensor")
      throw new BadPickle("it sets attributes of what has none");
  }
  function named(module: Item<Own>, name: Item<Own>): void {
    if (module.kind !== "text" || name.kind !== "text") throw new BadPickle("a name is no text");
    push(host.find(`${module.value}.${name.value}`));
  }

  const operations: Readonly<Record<number, () => void>> = {
    [op("(")]: () => void marks.push(stack.length),
    [op("0")]: () => void (stack.length > (marks.at(-1) ?? 0) ? stack.pop() : marks.pop()),
    [op("1")]: () => void popMarked(),
    [op("2")]: () => push(top()),
    [op("N")]: () => push({ kind: "none" }),
    [op("I")]: () => {
      const line = input.line();
      if (line === "00" || line === "01") push({ kind: "bool", value: line === "01" });
      else int(wholeNumber(line));
    },
    [op("J")]: () => int(input.int32()),
    [op("K")]: () => int(input.uint8()),
    [op("M")]: () => int(input.uint16()),
    [op("L")]: () => int(wholeNumber(input.line().replace(/L$/, ""))),
    [op("F")]: () => push({ kind: "float", value: Number(input.line()) }),
    [op("G")]: () => push({ kind: "float", value: input.float64() }),
    [op("S")]: () => text(input.line().replace(/^(['"])(.*)\1$/, "$2")),
    [op("T")]: () => text(input.text(input.uint32())),
    [op("U")]: () => text(input.text(input.uint8())),
    [op("V")]: () => text(input.line()),
    [op("X")]: () => text(input.text(input.uint32())),
    [op("B")]: () => push({ kind: "bytes", value: input.take(input.uint32()) }),
    [op("C")]: () => push({ kind: "bytes", value: input.take(input.uint8()) }),
    [op("]")]: () => push({ kind: "list", items: [] }),
    [op("a")]: () => extend([pop()]),
    [op("e")]: () => extend(popMarked()),
    [op("l")]: () => push({ kind: "list", items: popMarked() as Tree[] }),
    [op(")")]: () => push({ kind: "tuple", items: [] }),
    [op("t")]: () => push({ kind: "tuple", items: popMarked() as Tree[] }),
    [op("}")]: () => push({ kind: "dict", entries: [] }),
    [op("d")]: () => {
      const items = popMarked();
      push({ kind: "dict", entries: [] });
      setItems(items);
    },
    [op("s")]: () => {
      const value = pop();
      setItems([pop(), value]);
    },
    [op("u")]: () => setItems(popMarked()),
    [op("c")]: () => push(host.find(`${input.line()}.${input.line()}`)),
    [op("i")]: () => push(host.call(host.find(`${input.line()}.${input.line()}`), popMarked())),
    [op("o")]: () => {
      const [callee, ...args] = popMarked();
      if (callee === undefined) throw new BadPickle("it makes an object of no class");
      push(host.call(callee, args));
    },
    [op("R")]: reduce,
    [op("b")]: build,
    [op("P")]: () => push(host.persistent({ kind: "text", value: input.line() })),
    [op("Q")]: () => push(host.persistent(pop())),
    [op("p")]: () => void memo.set(Number(input.line()), top()),
    [op("q")]: () => void memo.set(input.uint8(), top()),
    [op("r")]: () => void memo.set(input.uint32(), top()),
    [op("g")]: () => get(Number(input.line())),
    [op("h")]: () => get(input.uint8()),
    [op("j")]: () => get(input.uint32()),
    // From protocol 2 on.
    128: () => void input.uint8(),
    129: reduce,
    133: () => tuple(1),
    134: () => tuple(2),
    135: () => tuple(3),
    136: () => push({ kind: "bool", value: true }),
    137: () => push({ kind: "bool", value: false }),
    138: () => int(input.long(input.uint8())),
    139: () => int(input.long(input.uint32())),
    // From protocol 4 on.
    140: () => text(input.text(input.uint8())),
    141: () => text(input.text(input.uint64())),
    142: () => push({ kind: "bytes", value: input.take(input.uint64()) }),
    143: () => push({ kind: "set", items: [] }),
    144: () => extend(popMarked()),
    145: () => push({ kind: "set", items: popMarked() as Tree[] }),
    147: () => {
      const name = pop();
      named(pop(), name);
    },
    148: () => void memo.set(memo.size, top()),
    149: () => void input.uint64(),
    150: () => push({ kind: "bytes", value: input.take(input.uint64()) }),
  };

  for (let done = 0; done < operationLimit; done++) {
    const code = input.uint8();
    if (code === op(".")) return { value: pop(), end: input.position };
    const operation = operations[code];
    if (operation === undefined) throw new BadPickle(`it has the operation ${code}`);
    operation();
  }
  throw new BadPickle(`it has more than ${operationLimit} operations`);
}

function op(letter: string): number {
  return letter.charCodeAt(0);
}

function wholeNumber(text: string): bigint {
  if (/^-?\d{1,2000}$/.test(text)) return BigInt(text);
  throw new BadPickle(`'${text.slice(0, 20)}' is no number`);
}

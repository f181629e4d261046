/** Reads torch.einsum's equation into one label per axis. */
import { torchError } from "../../errors.ts";
import { type Arg, ellipsis, isScalar, isTensor } from "../arguments.ts";
import type { Tensor } from "../tensor.ts";

/** Labels of axes: letters, or "…k" for the axis that stands k before the end of an ellipsis. */
export interface Equation {
  readonly operands: readonly { readonly tensor: Tensor; readonly labels: readonly string[] }[];
  readonly output: readonly string[];
}

const refuse = (text: string) => torchError("RuntimeError", `einsum(): ${text}`);

/** A subscript: a letter, or null for an ellipsis. */
type Subscripts = readonly (string | null)[];

/** einsum("ij,jk->ik", a, b), einsum("…", [a, b]) or einsum(a, [0, 1], b, [1, 2], [0, 2]). */
export function readEquation(args: readonly Arg[]): Equation {
  const [first, ...rest] = args;
  if (typeof first === "string") {
    const listed = rest.length === 1 && Array.isArray(rest[0]) ? (rest[0] as Arg[]) : rest;
    const [left = "", right] = first.split("->") as [string, string?];
    const inputs = left.split(",").map((part, at) => readText(part, ` for operand ${at}`, first));
    const output = right === undefined ? null : readText(right, " for the output", first);
    return build(inputs, output, listed.filter(isTensor));
  }
  return fromSublists(args);
}

function readText(text: string, where: string, equation: string): Subscripts {
  const found: (string | null)[] = [];
  const bare = text.replaceAll(" ", "");
  for (let at = 0; at < bare.length; at++) {
    const letter = bare[at] as string;
    if (letter === ".") {
      if (!bare.startsWith("...", at) || found.includes(null))
        throw refuse(`found '.'${where} that is not part of any ellipsis`);
      found.push(null);
      at += 2;
    } else if (/[a-zA-Z]/.test(letter)) found.push(letter);
    else
      throw refuse(
        `invalid subscript given at index ${equation.indexOf(letter)} in the equation string, subscripts must be in [a-zA-Z]`,
      );
  }
  return found;
}

function fromSublists(args: readonly Arg[]): Equation {
  const tensors: Tensor[] = [];
  const lists: Subscripts[] = [];
  let output: Subscripts | null = null;
  for (let at = 0; at < args.length; at += 2) {
    const operand = args[at] ?? null;
    if (isTensor(operand)) {
      tensors.push(operand);
      lists.push(readList(args[at + 1] ?? null));
    } else output = readList(args[at] ?? null);
  }
  return build(lists, output, tensors);
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

function readList(list: Arg): Subscripts {
  if (!Array.isArray(list)) throw refuse("expected a list of subscripts after each operand");
  return (list as readonly Arg[]).map((item) => {
    if (item === ellipsis) return null;
    const letter = isScalar(item) ? letters[item.value] : undefined;
    if (letter === undefined)
      throw refuse(
        `expected subscripts to be within range [0, 52), got ${isScalar(item) ? item.value : "another object"}`,
      );
    return letter;
  });
}

function build(
  inputs: readonly Subscripts[],
  output: Subscripts | null,
  tensors: readonly Tensor[],
): Equation {
  if (inputs.length > tensors.length)
    throw refuse("fewer operands were provided than specified in the equation");
  if (inputs.length < tensors.length)
    throw refuse("more operands were provided than specified in the equation");
  let ellipsisRank = 0;
  const operands = inputs.map((subscripts, at) => {
    const tensor = tensors[at] as Tensor;
    const extra = tensor.shape.length - subscripts.filter((label) => label !== null).length;
    const hasEllipsis = subscripts.includes(null);
    if (hasEllipsis ? extra < 0 : extra !== 0)
      throw refuse(
        `the number of subscripts in the equation (${subscripts.length}) ${hasEllipsis ? "is more than" : "does not match"} the number of dimensions (${tensor.shape.length}) for operand ${at}${hasEllipsis ? "" : " and no ellipsis was given"}`,
      );
    if (hasEllipsis) ellipsisRank = Math.max(ellipsisRank, extra);
    const labels = subscripts.flatMap((label) => (label === null ? dots(extra) : [label]));
    return { tensor, labels };
  });
  refuseSizes(operands);
  const labels =
    output?.flatMap((label) => (label === null ? dots(ellipsisRank) : [label])) ??
    implied(operands, ellipsisRank);
  refuseOutput(labels, operands);
  return { operands, output: labels };
}

const dots = (count: number): string[] => Array.from({ length: count }, (_, i) => `…${count - i}`);

/** Without an arrow: the ellipsis, then the letters that stand once, in the order of the alphabet. */
function implied(operands: Equation["operands"], ellipsisRank: number): string[] {
  const all = operands.flatMap(({ labels }) => labels).filter((label) => !label.startsWith("…"));
  const once = all.filter((label) => all.indexOf(label) === all.lastIndexOf(label));
  return [...dots(ellipsisRank), ...once.sort((a, b) => (a < b ? -1 : 1))];
}

function refuseSizes(operands: Equation["operands"]): void {
  const sizes = new Map<string, number>();
  operands.forEach(({ tensor, labels }, at) => {
    const own = new Map<string, number>();
    labels.forEach((label, axis) => {
      const size = tensor.shape[axis] as number;
      const before = own.get(label);
      if (before !== undefined && before !== size)
        throw refuse(
          `subscript ${label} is repeated for operand ${at} but the sizes don't match, ${size} != ${before}`,
        );
      own.set(label, size);
      const seen = sizes.get(label) ?? 1;
      if (seen !== size && seen !== 1 && size !== 1)
        throw refuse(
          `subscript ${label} has size ${size} for operand ${at} which does not broadcast with previously seen size ${seen}`,
        );
      sizes.set(label, Math.max(seen === 1 ? size : seen, size === 1 ? seen : size));
    });
  });
}

function refuseOutput(output: readonly string[], operands: Equation["operands"]): void {
  output.forEach((label, at) => {
    if (output.indexOf(label) !== at)
      throw refuse(`output subscript ${label} appears more than once in the output`);
    if (!operands.some(({ labels }) => labels.includes(label)))
      throw refuse(
        `output subscript ${label} does not appear in the equation for any input operand`,
      );
  });
}

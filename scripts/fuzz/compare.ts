/** Where two answers to one program differ: the first place of the gravest kind. */
import type { Answer, Numbers } from "./oracle.ts";

export interface Difference {
  /** What a smaller program must share to be the same find. */
  readonly kind: string;
  readonly text: string;
}

/** |a − b| ≤ relative · |b| + floor · (the largest of the tensor). */
const tolerances: Readonly<Record<string, readonly [number, number]>> = {
  float16: [2e-2, 4e-3],
  bfloat16: [2e-2, 1.6e-2],
  float64: [1e-6, 1e-8],
  complex128: [1e-6, 1e-8],
  float32: [1e-4, 2e-6],
  complex64: [1e-4, 2e-6],
};

export interface Compared {
  readonly difference: Difference | null;
  /** Normscope refused a line as one that it does not know. */
  readonly refused: string | null;
}

/**
 * `moved` is what PyTorch gives where the last digits of the inputs are others: a number may differ by
 * as much as those do, at its own place.
 */
export function compare(wanted: Answer, found: Answer, moved: readonly Answer[] = []): Compared {
  // What is refused as unknown may be what PyTorch refuses for a reason of its own.
  // Where PyTorch runs into an assertion of its own it says that this is a bug, not a result.
  if (Object.values(wanted.errors).some(([, text]) => text.includes("INTERNAL ASSERT FAILED")))
    return { difference: null, refused: null };
  // What a division in place that meets a 0 on its way has written by then is left half done.
  const stops = Object.values(wanted.errors).some(([, text]) => text === "ZeroDivisionError");
  if (stops && errorDifference(wanted, found) === null) return { difference: null, refused: null };
  if (isRefusedByRun(wanted, found)) return { difference: null, refused: null };
  const refusal = Object.entries(found.errors).find(([, [kind]]) => kind === "UnsupportedCall");
  if (refusal) return { difference: null, refused: refusal[1][1] };
  return { difference: differenceOf(wanted, found, moved), refused: null };
}

/** PyTorch looks at numbers at their line, of which Normscope knows some when the graph runs. */
function isRefusedByRun(wanted: Answer, found: Answer): boolean {
  const ours = found.errors["runtime"];
  return Object.entries(wanted.errors).some(
    ([at, [kind, text]]) =>
      text && at.startsWith("line") && kind === ours?.[0] && ours[1].includes(text),
  );
}

function differenceOf(wanted: Answer, found: Answer, moved: readonly Answer[]): Difference | null {
  const difference = errorDifference(wanted, found);
  if (difference || "reading" in readAsOne(wanted.errors)) return difference;
  return (
    valueDifference(wanted, found, moved) ??
    tensorDifference(wanted, found, moved) ??
    gradientDifference(wanted, found, moved)
  );
}

/** PyTorch looks at a view once more is done with it, Normscope when it is read. */
function readAsOne(errors: Answer["errors"]): Answer["errors"] {
  const isRead = (at: string) => !/^(line|backward|runtime)/.test(at);
  const read = Object.keys(errors).find(isRead);
  const others = Object.entries(errors).filter(([at]) => !isRead(at));
  const first = read === undefined ? undefined : errors[read];
  return Object.fromEntries(first ? [...others, ["reading", first]] : others);
}

function errorDifference(theirAnswer: Answer, ourAnswer: Answer): Difference | null {
  const [wanted, found] = [theirAnswer, ourAnswer].map(({ errors }) => ({
    errors: readAsOne(errors),
  })) as [Pick<Answer, "errors">, Pick<Answer, "errors">];
  const places = new Set([...Object.keys(wanted.errors), ...Object.keys(found.errors)]);
  // Without the loss that PyTorch refuses to read there is no backward pass of it to compare.
  if (wanted.errors["reading"] && found.errors["reading"]) places.delete("backward");
  for (const at of [...places].toSorted(inOrder)) {
    const theirs = wanted.errors[at];
    const ours = found.errors[at];
    if (ours && theirs && alike(theirs[0], ours[0])) continue;
    const kind = `error ${theirs?.[0] ?? "none"}/${ours?.[0] ?? "none"}`;
    const say = (error?: readonly [string, string]) => error?.join(": ") ?? "no error";
    return { kind, text: `${at}: PyTorch ${say(theirs)}\n    here ${say(ours)}` };
  }
  return null;
}

const inOrder = (a: string, b: string) => a.localeCompare(b, "en", { numeric: true });

/** NotImplementedError is PyTorch's word for a type that one build has no kernel for. */
const alike = (theirs: string, ours: string): boolean => {
  const known = (kind: string) => (kind === "NotImplementedError" ? "RuntimeError" : kind);
  return known(theirs) === known(ours) || (theirs === "NotImplementedError" && ours !== "internal");
};

function valueDifference(
  wanted: Answer,
  found: Answer,
  moved: readonly Answer[],
): Difference | null {
  for (const [name, text] of Object.entries(wanted.values)) {
    const ours = found.values[name];
    const others = moved.flatMap(({ values }) => values[name] ?? []);
    if (
      ours !== text &&
      !isNear(text, ours) &&
      !hasMoved(asNumber(text), asNumber(ours), others.map(asNumber))
    )
      return { kind: "value", text: `${name}: PyTorch ${text}, here ${ours}` };
  }
  return null;
}

/** Floats are told to four digits, of which the last may go either way. */
function isNear(theirs: string, ours: string | undefined): boolean {
  const [wanted, found] = [Number(theirs), Number(ours)];
  if (!/[.e]/.test(theirs) && !/[.e]/.test(ours ?? "")) return false;
  return Math.abs(wanted - found) <= 1.2e-3 * Math.abs(wanted);
}

/** What a value's text says, as elements of tensors are told. */
const asNumber = (text: string | undefined): number | string => {
  const number = Number(text);
  return Number.isFinite(number) ? number : (text ?? "");
};

/** How much further than the moved answers a number may lie: they are few. */
const slack = 4;

/** Whether PyTorch's own number moves as far as ours lies from it. */
function hasMoved(
  theirs: number | string | undefined,
  ours: number | string | undefined,
  moved: readonly (number | string | undefined)[],
): boolean {
  return moved.some((other) =>
    typeof theirs === "number" && typeof ours === "number" && typeof other === "number"
      ? Math.abs(theirs - ours) <= slack * Math.abs(theirs - other)
      : other !== theirs &&
        (typeof other !== "number" || typeof theirs !== "number" || typeof ours !== "number"),
  );
}

function tensorDifference(
  wanted: Answer,
  found: Answer,
  moved: readonly Answer[],
): Difference | null {
  for (const [name, theirs] of Object.entries(wanted.tensors)) {
    const ours = found.tensors[name];
    if (!ours) return { kind: "missing", text: `${name} is missing` };
    const others = moved.flatMap(({ tensors }) => tensors[name] ?? []);
    const off = numbersDifference(name, theirs, ours, others);
    if (off) return off;
    if (ours.grad !== theirs.grad)
      return { kind: "requires_grad", text: `${name}.requires_grad: PyTorch ${theirs.grad}` };
  }
  return null;
}

function gradientDifference(
  wanted: Answer,
  found: Answer,
  moved: readonly Answer[],
): Difference | null {
  for (const [at, theirs] of wanted.gradients.entries()) {
    const ours = found.gradients[at] ?? null;
    const name = `gradient ${at}`;
    if (theirs === null || ours === null) {
      // No gradient and one of zeros are the same number.
      if ([theirs, ours].every((one) => one === null || one.data.every((x) => x === 0))) continue;
      return {
        kind: "gradient missing",
        text: `${name}: ${shown(theirs)}\n    here ${shown(ours)}`,
      };
    }
    const others = moved.flatMap(({ gradients }) => gradients[at] ?? []);
    const off = numbersDifference(name, theirs, ours, others);
    if (off) return { ...off, kind: `gradient ${off.kind}` };
  }
  return null;
}

const shown = (numbers: Numbers | null): string =>
  numbers === null
    ? "none"
    : `${numbers.dtype}[${numbers.shape}] ${numbers.data.slice(0, 24).join(" ")}`;

function numbersDifference(
  name: string,
  theirs: Numbers,
  ours: Numbers,
  moved: readonly Numbers[],
): Difference | null {
  const text = `${name}: PyTorch ${shown(theirs)}\n    here ${shown(ours)}`;
  if (theirs.dtype !== ours.dtype) return { kind: "type", text };
  // How many elements there are may hang on numbers too: that of those that are not 0.
  const reshaped = moved.some(({ shape }) => shape.join() !== theirs.shape.join());
  if (theirs.shape.join() !== ours.shape.join()) return reshaped ? null : { kind: "shape", text };
  const [relative, floor] = tolerances[theirs.dtype] ?? [0, 0];
  const finite = theirs.data.filter((x) => typeof x === "number").map(Math.abs);
  // Numbers near one are what a program has beside a result that is small alone.
  const largest = finite.reduce((a, b) => Math.max(a, b), 1);
  const isOff = theirs.data.some((b, at) => {
    const a = ours.data[at];
    const near =
      typeof a === "number" && typeof b === "number"
        ? Math.abs(a - b) <= relative * Math.abs(b) + floor * largest
        : a === b;
    return (
      !near &&
      !reshaped &&
      !hasMoved(
        b,
        a,
        moved.map(({ data }) => data[at]),
      )
    );
  });
  return isOff ? { kind: "numbers", text } : null;
}

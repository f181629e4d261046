/** Calls that write memory which they read: in place, and into out=. */
import { torchError } from "../errors.ts";
import { isElementwise, isElementwiseOf } from "./layout/rules.ts";
import { type Reading, refuseOverlap, sharesMemory } from "./refusals.ts";
import { isSameWindow, type Tensor } from "./tensor.ts";

type Arguments = Readonly<Record<string, unknown>>;

const names = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Beside what is elementwise: calls that write what they read only at the very same places. */
const inStep = names(
  `bernoulli cummax cummin cumprod cumsum diff hardshrink logcumsumexp msort softplus softshrink`,
);

/** Calls that write nothing that they read. */
const apart = names(
  `cat concat concatenate hstack vstack row_stack dstack column_stack stack cross gather index_select
  masked_select take`,
);

/** Calls that do not look whether they write what they are to read, but in the very same place. */
const unguarded = names(`log_softmax logsumexp softmax tril triu`);

/** And that read what they have written even there. */
const reading = names(
  `addmm addbmm baddbmm all amax amin any bmm chain_matmul histc inv inverse kron masked_scatter matmul
  matrix_norm matrix_rank mean mm mv nanmean nansum norm normal pinv prod solve std sum take_along_dim
  tensordot var vector_norm`,
);

/** Calls that look at none but their first argument. */
const composed = names("ldexp ndtr");

/** Throws where `call` may not write to `target` what it computes of `sources`. */
export function refuseSharedMemory(
  { key, name, args }: { readonly key: string; readonly name: string; readonly args: Arguments },
  target: Tensor,
  sources: readonly Tensor[],
): void {
  if (composed.has(name)) return;
  if (reading.has(name) || unguarded.has(name)) refuseUnguarded(name, target, sources);
  else if (apart.has(name) || inStep.has(name) || isElementwiseOf(key, args) || isElementwise(name))
    for (const source of sources)
      refuseOverlap(target, source, apart.has(name) ? "apart" : "computes");
}

/** The same of a call that edits `target`. */
export function refuseSharedEdit(
  name: string,
  target: Tensor,
  sources: readonly Tensor[],
  how: Reading,
): void {
  if (composed.has(name)) return;
  if (reading.has(name)) refuseUnguarded(name, target, sources);
  else for (const source of sources) refuseOverlap(target, source, how);
}

function refuseUnguarded(name: string, target: Tensor, sources: readonly Tensor[]): void {
  for (const source of sources)
    if (sharesMemory(source, target) && !(unguarded.has(name) && isSameWindow(source, target)))
      throw torchError(
        "UnsupportedCall",
        `${name} into memory that it reads is not supported: PyTorch reads there what it has just written`,
        "Compute it of a clone()",
      );
}

/** Whether a run fits, before it is started: a refusal tells more than a process that was killed. */
import process from "node:process";
import { runDoesNotFit } from "../errors.ts";
import type { MemoryEstimate, MemoryReport } from "../protocol/report.ts";
import { freeMemory } from "../runtime/freeMemory.ts";
import { type MemoryNeeds, neededBytes } from "../runtime/memoryNeeds.ts";

export interface MemoryBefore {
  /** What the machine could give before anything of the run was made, in bytes. */
  readonly freeBytes: number;
  /** What the process held by then, and at most until then. */
  readonly heldBytes: number;
  readonly mostHeldBytes: number;
}

export interface MemoryQuestion {
  readonly needs: MemoryNeeds;
  readonly before: MemoryBefore;
  /** Of the first input: batch and sequence as a rule; null where there is none. */
  readonly shape: readonly number[] | null;
  /** The run is wanted all the same. */
  readonly isForced: boolean;
}

export const memoryBefore = (): MemoryBefore => ({
  freeBytes: freeMemory(),
  heldBytes: process.memoryUsage.rss(),
  mostHeldBytes: mostHeld(),
});

/** Bytes; Node tells kibibytes. */
const mostHeld = (): number => process.resourceUsage().maxRSS * 1024;

/**
 * Throws where the machine, or the GPU with `gpuFreeBytes`, has less than is needed. The numbers
 * are also held on the host, where they are made.
 */
export function checkMemory(
  { needs, before, shape, isForced }: MemoryQuestion,
  place: string,
  gpuFreeBytes: number | null,
): MemoryReport {
  const needed = neededBytes(needs);
  const free = gpuFreeBytes ?? before.freeBytes;
  if (needed > free && !isForced) throw refusal(needs, shape, { place, free });
  if (gpuFreeBytes !== null && needs.weightsBytes > before.freeBytes && !isForced)
    throw refusal(onlyWeights(needs), null, { place: "this machine", free: before.freeBytes });
  return { ...needs, neededBytes: needed, freeBytes: free, place, measuredBytes: null };
}

/** What `checkMemory` would say, as data: nothing is refused. */
export function estimateMemory(
  question: MemoryQuestion,
  place: string,
  gpuFreeBytes: number | null,
): MemoryEstimate {
  const { needs, before, shape } = question;
  const report = checkMemory({ ...question, isForced: true }, place, gpuFreeBytes);
  const { neededBytes: needed, freeBytes: free } = report;
  if (needed > free) return { ...report, wouldFit: wouldFit(needs, shape, free) };
  const isHostTooSmall = gpuFreeBytes !== null && needs.weightsBytes > before.freeBytes;
  const fits = isHostTooSmall ? wouldFit(onlyWeights(needs), null, before.freeBytes) : null;
  return { ...report, wouldFit: fits };
}

/** To be called before weights are made; the graph, and with it the rest, is not known by then. */
export function checkWeights(weightsBytes: number, free: number, isForced: boolean): void {
  if (weightsBytes <= free || isForced) return;
  const needs = { weightsBytes, activationsBytes: 0, workspaceBytes: 0 };
  throw refusal(needs, null, { place: "this machine", free });
}

/** By how much the process grew; null where an earlier run had grown it more. */
export function measuredBytes({ heldBytes, mostHeldBytes }: MemoryBefore): number | null {
  const most = mostHeld();
  return most > mostHeldBytes ? most - heldBytes : null;
}

const onlyWeights = ({ weightsBytes }: MemoryNeeds): MemoryNeeds => ({
  weightsBytes,
  activationsBytes: 0,
  workspaceBytes: 0,
});

function refusal(
  needs: MemoryNeeds,
  shape: readonly number[] | null,
  { place, free }: { readonly place: string; readonly free: number },
) {
  const needed = neededBytes(needs);
  const told = { ...needs, neededBytes: needed, freeBytes: free, place };
  return runDoesNotFit(told, wouldFit(needs, shape, free));
}

/** All but the weights grows with the batch, and at least as fast with the sequence. */
function wouldFit(needs: MemoryNeeds, shape: readonly number[] | null, free: number): string {
  const { weightsBytes } = needs;
  if (weightsBytes >= free)
    return `a model with ${percent(free / weightsBytes)} of the parameters: fewer or narrower layers`;
  const share = (free - weightsBytes) / (neededBytes(needs) - weightsBytes);
  const [batch = 1, sequence = 1] = shape ?? [];
  const smaller = Math.floor(batch * share);
  if (smaller >= 1) return `a batch of ${smaller} in place of ${batch}`;
  const shorter = Math.floor(batch * sequence * share);
  if (shorter >= 1) return `a batch of 1 with a sequence of ${shorter} in place of ${sequence}`;
  return `${percent(share)} of the layers`;
}

/** Rounded down, so that it fits. */
const percent = (share: number): string => `${Math.max(1, Math.floor(share * 100))} %`;

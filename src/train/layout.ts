/** A model's parameters → buckets that are updated together. */

import type { Value } from "../graph/graph.ts";
import { isFloat, numel } from "../graph/tensor.ts";
import type { OptimizerSettings } from "../protocol/training.ts";
import type { TracedParameter } from "../trace/program.ts";
import { type Optimiser, optimisers } from "./optimisers/index.ts";
import type { ParameterRole } from "./parameterRoles.ts";

/** A parameter that the loss reaches. */
export interface Trained {
  readonly name: string;
  readonly value: Value;
  readonly gradient: Value;
  readonly size: number;
  readonly role: ParameterRole;
  /** Position in the list of layers. */
  readonly layer: number;
}

/** Parameters whose numbers lie one after another in one tensor, with one rule and one decay. */
export interface Bucket {
  readonly members: readonly Trained[];
  readonly size: number;
  readonly layer: number;
  readonly optimiser: Optimiser;
  readonly weightDecay: number;
  /** Updates that it has had; null: one in every step before. */
  readonly taken: number | null;
}

export interface Layout {
  readonly layers: readonly string[];
  readonly trained: readonly Trained[];
  readonly buckets: readonly Bucket[];
}

/**
 * A bucket's operations stay in the caches of two cores up to about this many elements; with far
 * fewer, ONNX Runtime leaves them to one core.
 */
const bucketLimit = 2 ** 18;

export interface ParameterReading {
  readonly gradientOf: (value: Value) => Value | null;
  readonly roleOf: (value: Value) => ParameterRole;
}

export function layOut(
  parameters: readonly TracedParameter[],
  { gradientOf, roleOf }: ParameterReading,
  blocks: readonly string[],
  settings: OptimizerSettings,
  taken: ReadonlyMap<string, number> | null = null,
): Layout {
  const layers: string[] = [];
  const trained = parameters.flatMap(({ name, value, requiresGrad }): Trained[] => {
    const gradient = value === null ? null : gradientOf(value);
    if (value === null || gradient === null || !requiresGrad || !isFloat(value.dtype)) return [];
    const layer = layerOf(name, blocks);
    if (!layers.includes(layer)) layers.push(layer);
    const [size, role] = [numel(value.shape), roleOf(value)];
    return [{ name, value, gradient, size, role, layer: layers.indexOf(layer) }];
  });
  return { layers, trained, buckets: bucketsOf(trained, settings, taken) };
}

/** The residual block that a parameter is in, else what the first part of its name says. */
function layerOf(name: string, blocks: readonly string[]): string {
  const block = blocks.find((path) => path !== "" && name.startsWith(`${path}.`));
  return block ?? name.split(".")[0] ?? name;
}

/** With `taken`, the updates that each has had, by name, each is a bucket of its own. */
function bucketsOf(
  trained: readonly Trained[],
  settings: OptimizerSettings,
  taken: ReadonlyMap<string, number> | null,
): Bucket[] {
  const { decay = "matrices" } = settings;
  const buckets: { members: Trained[]; of: Omit<Bucket, "members" | "size"> }[] = [];
  for (const one of trained) {
    const optimiser = optimisers[settings.name](settings, one);
    const weightDecay = decay === "all" || isFactor(one) ? optimiser.weightDecay : 0;
    const last = buckets.findLast(
      ({ of }) =>
        of.layer === one.layer &&
        of.optimiser.key === optimiser.key &&
        of.weightDecay === weightDecay,
    );
    const size = last?.members.reduce((sum, member) => sum + member.size, 0) ?? 0;
    const mayJoin = taken === null && !optimiser.wholeMatrices;
    const own = taken === null ? null : (taken.get(one.name) ?? 0);
    const of = { layer: one.layer, optimiser, weightDecay, taken: own };
    if (last && mayJoin && size + one.size <= bucketLimit) last.members.push(one);
    else buckets.push({ members: [one], of });
  }
  return buckets.map(({ members, of }) => {
    const size = members.reduce((sum, member) => sum + member.size, 0);
    return { ...of, members, size };
  });
}

/** A weight of products: no norm, bias or embedding. */
const isFactor = ({ role }: Trained): boolean => role === "matrix" || role === "head";

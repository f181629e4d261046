/** Caches of keys and values that are joined wrongly, belong to other layers, or are not brought up to date. */
import type { TorchCall, Value } from "../graph/graph.ts";
import { numel } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import type { CachedAttention, CachedPart } from "../stats/cachedKeys.ts";
import { idsMadeBy } from "../stats/producers.ts";
import { dependents } from "../stats/rerun.ts";
import { callPlace, counted, type Evidence } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";
import { restart } from "./restart.ts";

interface Told {
  readonly message: string;
  readonly call: TorchCall;
  readonly severity?: Finding["severity"];
  readonly evidence: Finding["evidence"];
}

export function cache(evidence: Evidence): Finding[] {
  const groups = evidence.cached;
  const told = [...groups.values()].flatMap((group): Told[] => {
    const [first, second] = group;
    if (!first || !second) return [];
    const behind = group.filter(({ join }) => join !== null);
    for (const one of behind) {
      const fault = joinFault(one, groups);
      if (fault) return [fault];
    }
    const fault =
      stale(evidence, group) ?? restart(evidence, first, second) ?? unread(evidence, first, second);
    return fault ? [fault] : [];
  });
  return oncePerLine(
    told.map(({ message, call, severity = "error", evidence: numbers }) => ({
      code: "attention/cache",
      severity,
      message,
      ...callPlace(call),
      evidence: numbers,
    })),
  );
}

/** What is wrong with the keys and values that a cache brought to an attention; null: nothing. */
export const joinFault = (
  one: CachedAttention,
  groups: ReadonlyMap<number, readonly CachedAttention[]>,
): Told | null => foreign(one, groups) ?? mixedValues(one) ?? turned(one);

/** Keys of a cache that the weights of another layer made, of which that layer makes its own. */
function foreign(
  { keys, own, join, attention }: CachedAttention,
  groups: ReadonlyMap<number, readonly CachedAttention[]>,
): Told | null {
  const others = keys.filter(({ weight }) => weight !== own.weight && groups.has(weight));
  const [other] = others;
  const layer = other && groups.get(other.weight)?.[0]?.attention.call.module;
  if (!other || !join) return null;
  const count = others.reduce((sum, { places }) => sum + places.length, 0);
  const whose = layer && layer !== attention.call.module ? ` (${layer})` : "";
  return {
    message: `${counted(count, "key")} of the cache here ${count === 1 ? "was" : "were"} made by the weights of another layer${whose}, and the new ones by this layer's own: each layer has a cache of its own`,
    call: join.call,
    evidence: { "keys of another layer": count, "own keys": own.places.length },
  };
}

/** Values in another order than keys, or keys in their place. */
function mixedValues({ keys, values, join }: CachedAttention): Told | null {
  const last = values.at(-1);
  if (!join || !last) return null;
  const [ownKeys] = keys;
  const copied = values.find(({ weight }) => weight !== last.weight && weight === ownKeys?.weight);
  if (copied)
    return {
      message: `${counted(copied.places.length, "value")} of the cache ${copied.places.length === 1 ? "is a key" : "are keys"}: what the key's linear map gave stands in front of the new values`,
      call: join.call,
      evidence: { "keys among values": copied.places.length },
    };
  const placesOf = (parts: readonly CachedPart[]): string =>
    parts.map(({ places }) => places.join(" ")).join("; ");
  if (keys.length !== values.length || placesOf(keys) === placesOf(values)) return null;
  const isOwnLast = (parts: readonly CachedPart[]): boolean => isLast(parts);
  if (isOwnLast(keys) === isOwnLast(values)) return null;
  const [behind, ahead] = isOwnLast(keys) ? ["keys", "values"] : ["values", "keys"];
  return {
    message: `New ${behind} stand behind the cache and new ${ahead} in front of it: a query weighs a key and gets the value of another token`,
    call: join.call,
    evidence: { "in front": ahead ?? "", behind: behind ?? "" },
  };
}

/** Whether the newest stand at the end. */
const isLast = (parts: readonly CachedPart[]): boolean => {
  const own = parts.at(-1)?.places ?? [];
  return parts.slice(0, -1).every(({ places }) => Math.max(...places) < Math.min(...own));
};

/** New keys in front of the cache. A ring that is written in place has its own order. */
function turned({ keys, own, join, attention }: CachedAttention): Told | null {
  const others = keys.slice(0, -1).flatMap(({ places }) => places);
  if (join?.op !== "Concat" || others.length === 0) return null;
  if (Math.max(...own.places) > Math.min(...others)) return null;
  const queries = attention.logits.shape.at(-2) ?? 1;
  const isMasked = queries > 1 && attention.treatments.length > 0;
  return {
    message: `New keys stand in front of those of the cache (${counted(own.places.length, "key")} in front of ${others.length}): masks and positions count from the oldest${isMasked ? ", and this one hides the wrong keys" : ""}. torch.cat((cache, new), dim=-2)`,
    call: join.call,
    severity: isMasked ? "error" : "warning",
    evidence: { new: own.places.length, cached: others.length },
  };
}

/**
 * A third call that has the keys of the first and not those of the second, which had those of the first too,
 * though results of both follow each other along the positions. Branches of one prefix are compared otherwise.
 */
function stale({ structure }: Evidence, group: readonly CachedAttention[]): Told | null {
  const { nodes } = structure;
  const [first, second, third] = group;
  if (!first || !second || !third?.join) return null;
  const has = ({ keys }: CachedAttention, part: CachedPart): boolean =>
    keys.some(({ made }) => made.id === part.made.id);
  if (!has(second, first.own) || !has(third, first.own) || has(third, second.own)) return null;
  const reachedBy = ({ attention }: CachedAttention) => {
    const [mixed] = attention.mixing.outputs;
    return mixed ? idsMadeBy(dependents(nodes, mixed)) : new Set<number>();
  };
  const [early, late] = [reachedBy(second), reachedBy(third)];
  const follows = nodes.some(({ op, inputs, attrs, outputs }) => {
    const rank = outputs[0]?.shape.length ?? 0;
    if (op !== "Concat" || rank < 3 || Number(attrs["axis"] ?? 0) % rank === 0) return false;
    const at = inputs.findIndex((value) => value && early.has(value.id) && !late.has(value.id));
    return at >= 0 && inputs.slice(at + 1).some((value) => value && late.has(value.id));
  });
  if (!follows) return null;
  const lost = second.own.places.length;
  return {
    message: `The cache is not brought up to date: ${counted(lost, "key")} of the call before ${lost === 1 ? "is" : "are"} not among the ${third.attention.keys} here, and those of the first call are. What joins old and new keys is to be kept for the next call`,
    call: third.join.call,
    evidence: { "missing keys": lost, keys: third.attention.keys },
  };
}

const isAsLarge = (value: Value, other: Value): boolean =>
  numel(value.shape) === numel(other.shape);

/** A module that is given the keys of an earlier call, and attends to its own alone. */
function unread(
  { program, structure }: Evidence,
  first: CachedAttention,
  second: CachedAttention,
): Told | null {
  const { nodes, sourceOf } = structure;
  const [, key] = first.attention.operands;
  if (second.join !== null || !key) return null;
  const isKept = ({ value }: { readonly value: Value }): boolean =>
    value.id === first.own.made.id ||
    sourceOf(value).value.id === sourceOf(key).value.id ||
    (isAsLarge(value, key) && idsMadeBy(dependents(nodes, value)).has(key.id));
  const { id } = second.attention.call;
  const calls = program.modules.flatMap(({ path, calls }) =>
    calls
      .filter(({ firstCall, endCall }) => firstCall <= id && id < endCall)
      .filter(({ firstCall }) => firstCall > first.attention.call.id)
      .map((call) => ({ path, call })),
  );
  for (const { path, call } of calls) {
    const kept = [...call.held, ...call.inputs].filter(isKept);
    if (kept.length === 0) continue;
    const ids = new Set(kept.map(({ value }) => value.id));
    const isRead = nodes.some(
      ({ inputs, origin }) =>
        (origin.call?.id ?? -1) >= call.firstCall &&
        (origin.call?.id ?? -1) < call.endCall &&
        inputs.some((value) => value !== null && ids.has(value.id)),
    );
    if (isRead) continue;
    return {
      message: `${path === "" ? "The model" : path} is given the keys and values of an earlier call and reads none of them: it attends to ${counted(second.attention.keys, "key")} of its own alone`,
      call: second.attention.call,
      severity: "warning",
      evidence: { keys: second.attention.keys },
    };
  }
  return null;
}

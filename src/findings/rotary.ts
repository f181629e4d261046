/** Rotary positions that are given to the wrong operand, or that are no rotation (Su et al. 2021). */
import type { Finding } from "../protocol/report.ts";
import type { Fault } from "../stats/rotary.ts";
import { joinFault } from "./cache.ts";
import { callPlace, type Evidence, figure } from "./evidence.ts";
import { oncePerLine } from "./oncePerLine.ts";

export const rotary = ({ operandFaults, cached }: Evidence): Finding[] => {
  // Keys that a cache brought wrongly have other positions than their places say.
  const isBrought = [...cached.values()].some((group) =>
    group.some((one) => one.join !== null && joinFault(one, cached) !== null),
  );
  return oncePerLine(
    operandFaults.flatMap(({ attention, fault, call }): Finding[] => {
      const told = textOf(fault);
      if (told === null || (isBrought && ["apart", "cache"].includes(fault.kind))) return [];
      return [
        {
          code: "attention/rotary",
          severity: "error",
          message: told.message,
          ...callPlace(call),
          evidence: { "attention line": attention.call.site.line, ...told.more },
        },
      ];
    }),
  );
};

function textOf(
  fault: Fault,
): { message: string; more: Readonly<Record<string, number | string>> } | null {
  if (fault.kind === "one") {
    const other = fault.turned === "queries" ? "keys" : "queries";
    return {
      message: `Only ${fault.turned} are rotated by their positions, and ${other} are not: their product then depends on the place of one and not on the distance of both`,
      more: { rotated: fault.turned },
    };
  }
  if (fault.kind === "values") {
    const others = { both: "queries and keys are", queries: "queries are", keys: "keys are" };
    return {
      message: `Values are rotated by their positions, as ${others[fault.beside]}: what a query gets of a key then depends on where the key stands, and nothing turns it back`,
      more: { rotated: `values, ${fault.beside}` },
    };
  }
  if (fault.kind === "stretched")
    return {
      message: `This is no rotation: the same query and key at one place give products that differ from place to place by ${figure(fault.least)} … ${figure(fault.most)} of their norms, and a rotation keeps them. Halves and neighbours as pairs are mixed up, or a sign is wrong`,
      more: { least: fault.least, most: fault.most },
    };
  if (fault.kind === "apart")
    return {
      message: `Position ${fault.query} is rotated as the key at ${fault.key} is: behind a cache, positions go on where it ends, for queries and keys`,
      more: { position: fault.query, key: fault.key },
    };
  if (fault.kind === "twice") {
    const of =
      fault.of === "both" ? "Queries and keys" : fault.of === "queries" ? "Queries" : "Keys";
    return {
      message: `${of} are rotated here by a table that they were rotated by before: they turn twice as fast with the position as the table says`,
      more: { twice: fault.of },
    };
  }
  if (fault.kind === "cache")
    return {
      message: `The ${fault.cached} keys of the cache are rotated otherwise than the new ones: what neighbours give each other differs within the cache and behind it. Keys are rotated once, before they go into the cache`,
      more: { cached: fault.cached },
    };
  if (fault.kind === "rates")
    return {
      message:
        fault.rates === "one"
          ? `Of ${fault.columns} columns, ${fault.turning} turn with the position and the others stand still: frequencies fall too fast. They go from 1 to 1/10000 over the width, as base ** (-i / width)`
          : `All ${fault.columns} columns turn by the same angle from position to position: one frequency for all pairs, so that positions a turn apart are the same`,
      more: { turning: fault.turning, columns: fault.columns },
    };
  if (fault.kind === "rounded")
    return {
      message: `${fault.same} positions are rotated as the one before is (from ${fault.first} on): they were counted in ${fault.type}, which has no number of its own for each. Angles are computed in float32, and rounded afterwards`,
      more: { same: fault.same, first: fault.first, "counted in": fault.type },
    };
  if (fault.kind === "still")
    return {
      message: `Queries and keys are multiplied by a table that has the same row for all ${fault.positions} positions: the rotation says nothing of them`,
      more: { positions: fault.positions },
    };
  if (fault.kind === "heads")
    return {
      message: `The rotation differs from head to head and is the same at all positions: its table runs along the axis of the ${fault.heads} heads`,
      more: { heads: fault.heads },
    };
  return null;
}

/** Two parameters that hold the same numbers and are not one: a tie that was lost. */

import type { Finding } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import type { UndoneTie } from "../trace/program.ts";
import { type Evidence, figure } from "./evidence.ts";
import { isAlike } from "./identicalLayers.ts";
import { parameterPlace } from "./parameterPlace.ts";

export function tieBroken(evidence: Evidence): Finding[] {
  const undone = evidence.program.missed.flatMap((miss) => (miss.kind === "tie" ? [miss] : []));
  return undone.length > 0 ? undone.map(ofAssignment) : ofNumbers(evidence);
}

const ofAssignment = ({ file, line, condition, tiedOn, kept, other }: UndoneTie): Finding => ({
  code: "parameters/tie-broken",
  severity: "warning",
  message: `"${condition}" puts something new in the place of what ${tiedOn === null ? "was tied" : `line ${tiedOn} tied`} to ${kept}: ${other} is a parameter of its own, and the two learn apart`,
  ...{ file, line },
  module: null,
  evidence: { first: kept, second: other, ...(tiedOn !== null && { "tied on line": tiedOn }) },
});

function ofNumbers(evidence: Evidence): Finding[] {
  const { report, program } = evidence;
  const matrices = report.parameters.filter(
    ({ name, shape, value }, at) =>
      program.parameters[at]?.requiresGrad === true &&
      shape.length === 2 &&
      fromNum(value.std) > 0 &&
      !/(^|\.)\d+\./.test(name),
  );
  return matrices.flatMap((a, at): Finding[] => {
    const b = matrices
      .slice(at + 1)
      .find((one) => one.shape.join() === a.shape.join() && isAlike(a, one));
    if (!b) return [];
    const [ofA, ofB] = [a.gradient?.l2 ?? 0, b.gradient?.l2 ?? 0];
    return [
      {
        code: "parameters/tie-broken",
        severity: "warning",
        message: `${a.name} and ${b.name} hold the same numbers but are two parameters: their gradients (norms ${figure(ofA)} and ${figure(ofB)}) take them apart at the first step`,
        ...parameterPlace(evidence, b.name),
        module: null,
        evidence: { first: a.name, second: b.name, "first gradient": ofA, "second gradient": ofB },
      },
    ];
  });
}

/** An initialisation that did not reach the weights that it was meant for. */

import type { Finding, ParameterReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import type { LateModules, MissedFlag, MissedName } from "../trace/program.ts";
import { counted, type Evidence, figure } from "./evidence.ts";

/** How far a drawn standard deviation may be from that of its distribution. */
const drawn = 0.15;

export const missedInit = (evidence: Evidence): Finding[] =>
  evidence.program.missed.flatMap((miss): Finding[] => {
    if (miss.kind === "flag") return [ofFlag(miss)];
    if (miss.kind === "late") return ofLate(evidence, miss);
    return miss.kind === "name" ? ofName(evidence, miss) : [];
  });

/** Only where some name holds the text, or nearly: a model without biases rightly never meets "bias". */
function ofName({ report }: Evidence, miss: MissedName): Finding[] {
  const { file, line, condition, texts, text, parameters, std } = miss;
  const meant = report.parameters.filter(({ name }) => parameters.includes(name));
  const [first] = meant;
  if (!first) return [];
  const mean = meanStd(meant);
  // Other code has drawn them so.
  if (std !== null && Math.abs(mean / std - 1) < drawn) return [];
  const instead = std === null ? "" : ` instead of ${figure(std)}`;
  const what = texts.includes(text) ? "that" : `"${text}"`;
  return [
    {
      code: "init/missed",
      severity: "warning",
      message: `No name meets "${condition}": what stands below it never ran. ${counted(meant.length, "parameter")} with ${what} in the name (${first.name}, …) ${meant.length === 1 ? "keeps" : "keep"} std ${figure(mean)}${instead}`,
      file,
      line,
      module: null,
      evidence: {
        parameters: meant.length,
        example: first.name,
        std: mean,
        ...(std !== null && { "meant std": std }),
      },
    },
  ];
}

function ofFlag({ file, line, condition, flag, attribute, modules }: MissedFlag): Finding {
  const [first = ""] = modules;
  const have = modules.length === 1 ? "has" : "have";
  const why =
    attribute === flag
      ? `though ${counted(modules.length, "module")} (${first}, …) ${have} it`
      : `and ${counted(modules.length, "module")} (${first}, …) ${have} '${attribute}'`;
  return {
    code: "init/missed",
    severity: "warning",
    message: `No module that came by meets "${condition}", ${why}: what stands below it never ran`,
    ...{ file, line },
    module: null,
    evidence: { "asked for": flag, "they have": attribute, modules: modules.length },
  };
}

/** Only what still has the numbers that PyTorch drew. */
function ofLate({ report }: Evidence, { file, line, condition, weights }: LateModules): Finding[] {
  const kept = weights.flatMap(({ name, std }) => {
    const own = report.parameters.find((one) => one.name === name);
    return own && Math.abs(fromNum(own.value.std) / std - 1) < drawn ? [own] : [];
  });
  const [first] = kept;
  if (!first) return [];
  return [
    {
      code: "init/missed",
      severity: "warning",
      message: `"${condition}" ran before ${counted(kept.length, "module")} of the kinds it initialises ${kept.length === 1 ? "was" : "were"} made: ${first.name}${kept.length === 1 ? " keeps" : ", … keep"} std ${figure(meanStd(kept))}, which PyTorch drew`,
      ...{ file, line },
      module: null,
      evidence: { weights: kept.length, example: first.name, std: meanStd(kept) },
    },
  ];
}

const meanStd = (parameters: readonly ParameterReport[]): number =>
  parameters.reduce((sum, { value }) => sum + fromNum(value.std), 0) / parameters.length;

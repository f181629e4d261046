/** An initialisation that its condition on names kept from every parameter. */

import type { Finding, ParameterReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import { counted, type Evidence, figure } from "./evidence.ts";

/** Only where some name holds the text: a model without biases rightly never meets "bias". */
export const missedInit = ({ program, report }: Evidence): Finding[] =>
  program.missed.flatMap(({ file, line, condition, texts, std }): Finding[] => {
    const meant = report.parameters.filter(({ name }) => texts.some((text) => name.includes(text)));
    const [first] = meant;
    if (!first) return [];
    const stds = meant.map(({ value }: ParameterReport) => fromNum(value.std));
    const mean = stds.reduce((sum, one) => sum + one, 0) / stds.length;
    const instead = std === null ? "" : ` instead of ${figure(std)}`;
    return [
      {
        code: "init/missed",
        severity: "warning",
        message: `No name meets "${condition}": what stands below it never ran. ${counted(meant.length, "parameter")} with that in the name (${first.name}, …) ${meant.length === 1 ? "keeps" : "keep"} std ${figure(mean)}${instead}`,
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
  });

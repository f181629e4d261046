/** The row of a padding token, which no gradient reaches, that an initialisation made other than 0. */
import type { Finding } from "../protocol/report.ts";
import type { Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** nn.Embedding sets it to 0 and keeps it; what weights of a checkpoint hold is not looked at. */
export function paddingRow(evidence: Evidence): Finding[] {
  const { program, report } = evidence;
  if (report.source.weights) return [];
  return program.missed.flatMap((miss): Finding[] => {
    if (miss.kind !== "padding") return [];
    const { name, row } = miss;
    const table = program.parameters.find((one) => one.name === name);
    const zeros = report.parameters.find((one) => one.name === name)?.value.zeroFraction ?? 1;
    // A row of zeros is so large a share, whatever the others are.
    const isZero = zeros >= 1 / (table?.shape[0] ?? 1);
    if (!table?.requiresGrad || table.value === null || isZero) return [];
    return [
      {
        code: "init/padding-row",
        severity: "information",
        message: `Row ${row} of ${name} belongs to padding (padding_idx=${row}) and starts at random: an initialisation wrote over its zeros, and no gradient reaches the row, so that it stays. Set it to 0 behind the initialisation`,
        ...parameterPlace(evidence, name),
        module: null,
        evidence: { parameter: name, row },
      },
    ];
  });
}

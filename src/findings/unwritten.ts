/** Parameters that torch.empty made and nothing was written to. */
import type { Finding } from "../protocol/report.ts";
import type { TracedParameter } from "../trace/program.ts";
import { counted, type Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/** Where most of a model is so, its weights are meant to be loaded, and it is no mistake. */
export function unwritten(evidence: Evidence): Finding[] {
  const { program, report } = evidence;
  if (report.source.weights) return [];
  const trained = program.parameters.filter(({ requiresGrad }) => requiresGrad);
  const found = trained.filter(
    (one) => one.isUnwritten && one.value !== null && !isWrittenElsewhere(evidence, one),
  );
  const matrices = trained.filter(({ shape }) => shape.length > 1);
  const empty = matrices.filter(({ isUnwritten }) => isUnwritten);
  const [first] = found;
  if (!first || empty.length > matrices.length / 2) return [];
  const names = found.map(({ name }) => name);
  return [
    {
      code: "init/unwritten",
      severity: "warning",
      message: `${counted(names.length, "parameter")} ${names.length === 1 ? "is" : "are"} made by torch.empty, and nothing writes to ${names.length === 1 ? "it" : "them"}: ${names.slice(0, 4).join(", ")}${names.length > 4 ? ", …" : ""}. PyTorch leaves there what the memory held, which can be anything, NaN too; here it is 0`,
      ...parameterPlace(evidence, first.name),
      module: null,
      evidence: { parameters: names.length, names: names.slice(0, 12).join(", ") },
    },
  ];
}

/** `nn.init.normal_(module.scale)`: code outside of the class, which did not run, is there to write it. */
function isWrittenElsewhere(evidence: Evidence, { name }: TracedParameter): boolean {
  const { file } = parameterPlace(evidence, name);
  const attribute = name.split(".").at(-1);
  const text = (file && evidence.textOf(file)) ?? "";
  const writes = new RegExp(`\\b(?!self\\b)\\w+\\.${attribute}\\b`);
  return text
    .split("\n")
    .some((line) => writes.test(line) && /init|\w_\(|\.data\b|copy_|load/.test(line));
}

/** Layers that start with the same numbers. */

import type { Finding, ParameterReport } from "../protocol/report.ts";
import { fromNum } from "../stats/moments.ts";
import type { Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

export function identicalLayers(evidence: Evidence): Finding[] {
  const groups = new Map<string, ParameterReport[]>();
  for (const parameter of evidence.report.parameters) {
    const pattern = parameter.name.match(/^(.*?)(?:^|\.)(\d+)\.(.*)$/);
    if (!pattern || parameter.shape.length < 2 || !isRandom(parameter)) continue;
    const key = `${pattern[1]}.#.${pattern[3]} ${parameter.shape.join()}`;
    groups.set(key, [...(groups.get(key) ?? []), parameter]);
  }
  const stacks = new Map<string, { layers: number; names: string[]; apart: number }>();
  for (const [key, group] of groups) {
    const [first] = group;
    if (!first || group.length < 2) continue;
    const container = key.split(".#.")[0] ?? "";
    const stack = stacks.get(container) ?? { layers: group.length, names: [], apart: 0 };
    stacks.set(container, stack);
    if (group.every((one) => isAlike(one, first))) stack.names.push(first.name);
    else stack.apart++;
  }
  return [...stacks].flatMap(([container, { layers, names, apart }]): Finding[] => {
    const [first] = names;
    // A few that are alike beside others that are drawn start at chosen numbers, as state spaces do.
    if (first === undefined || apart >= names.length) return [];
    const place = placeOf(evidence, container);
    const stock = stockStack(evidence, container);
    const why = stock
      ? `nn.${stock} copies its one layer, whose numbers are drawn once; initialise the weights behind it`
      : "copies of one initialised layer are not drawn anew";
    return [
      {
        code: "init/identical-layers",
        severity: stock ? "information" : "warning",
        message: `All ${layers} layers of ${container || "the model"} start with the same numbers (${names.length} weights each, ${first} among them): ${why}`,
        ...place,
        module: container,
        evidence: { layers, "weights per layer": names.length, example: first },
      },
    ];
  });
}

/** The class of PyTorch's own that holds the layers and copied them; null: the file's. */
function stockStack({ report }: Evidence, container: string): string | null {
  const owner = report.modules.find(({ path }) => path === container.replace(/\.?layers$/, ""));
  const isStock = /^Transformer(En|De)coder$/.test(owner?.class ?? "") && owner?.file === null;
  return isStock && container.endsWith("layers") ? (owner?.class ?? null) : null;
}

/** What is constant starts alike by intent. */
const isRandom = ({ value }: ParameterReport): boolean => fromNum(value.std) > 0;

export const isAlike = (a: ParameterReport, b: ParameterReport): boolean =>
  a.value.l2 === b.value.l2 &&
  a.value.mean === b.value.mean &&
  a.value.min === b.value.min &&
  a.value.max === b.value.max;

/** The line that copies, where the files have one; else the class of the layers. */
function placeOf(evidence: Evidence, container: string) {
  const { report, textOf } = evidence;
  const layer = report.modules.find(({ path }) => path.startsWith(`${container}.`));
  const files = [...new Set(report.modules.flatMap(({ file }) => file ?? []))];
  for (const file of files) {
    const lines = textOf(file)?.split("\n") ?? [];
    const at = lines.findIndex((line) => /^[^#]*\bdeepcopy\(/.test(line));
    if (at !== -1) return { file, line: at + 1 };
  }
  const maker = files.flatMap((file) => {
    const lines = textOf(file)?.split("\n") ?? [];
    const at = lines.findIndex((line) => /^[^#]*\bTransformer(En|De)coder\(/.test(line));
    return at === -1 ? [] : [{ file, line: at + 1 }];
  });
  if (maker[0]) return maker[0];
  if (layer?.file) return { file: layer.file, line: layer.line };
  return parameterPlace(evidence, container);
}

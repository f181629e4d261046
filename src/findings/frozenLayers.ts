/** Parameters that ask for no gradient in some layers of a stack, though others train around them. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

const fewestLayers = 3;

interface Entry {
  readonly layer: number;
  readonly name: string;
  readonly trains: boolean;
}

/** The first layers of a stack are frozen on purpose, or all of them; others are not. */
export function frozenLayers(evidence: Evidence): Finding[] {
  const { program } = evidence;
  const groups = new Map<string, Entry[]>();
  for (const { name, requiresGrad } of program.parameters) {
    const [, container, layer, rest] = name.match(/^(.*?)\b(\d+)\.(.*\..*)$/) ?? [];
    if (container === undefined || layer === undefined || rest === undefined) continue;
    const entry = { layer: Number(layer), name, trains: requiresGrad };
    const key = `${container} ${rest}`;
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  const stray = [...groups.values()].flatMap((group) => {
    const order = group.toSorted((a, b) => a.layer - b.layer);
    const frozen = order.filter(({ trains }) => !trains);
    const first = order.findIndex(({ trains }) => trains);
    const isMeant = first < 0 || order.slice(first).every(({ trains }) => trains);
    // Of every second layer and the like, more are frozen than a slip leaves.
    if (order.length < fewestLayers || isMeant || frozen.length * 2 > order.length) return [];
    return order.slice(first).filter(({ trains }) => !trains);
  });
  const [one] = stray;
  if (!one) return [];
  const layers = [...new Set(stray.map(({ layer }) => layer))].sort((a, b) => a - b);
  return [
    {
      code: "parameters/frozen",
      severity: "warning",
      message: `${counted(stray.length, "parameter")} of ${layers.length === 1 ? `layer ${layers[0]}` : `layers ${layers.join(", ")}`} ask for no gradient (${one.name}), and the same ones of layers before them do: they stay as they are while their neighbours train`,
      ...parameterPlace(evidence, one.name),
      module: null,
      evidence: { parameters: stray.length, layers: layers.join(", "), example: one.name },
    },
  ];
}

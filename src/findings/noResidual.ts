/** Attention layers in a list whose result replaces the stream and is not added to it. */

import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
import { comesThrough } from "../stats/linearPath.ts";
import type { Structure } from "../stats/structure.ts";
import type { TracedModule } from "../trace/program.ts";
import { type Evidence, linesText } from "./evidence.ts";

export function noResidual({ program, structure }: Evidence): Finding[] {
  const { blocks, attention } = structure;
  const isRelated = (path: string) =>
    blocks.some((block) => isWithin(block.path, path) || isWithin(path, block.path));
  const layers = program.modules.filter(({ path, calls }) => {
    const [call] = calls;
    const [input, output] = [call?.inputs[0], call?.outputs[0]];
    if (!/(^|\.)\d+$/.test(path) || !call || !input || !output || isRelated(path)) return false;
    if (!sameShape(input.shape, output.shape)) return false;
    return attention.some(({ call: { id } }) => id >= call.firstCall && id < call.endCall);
  });
  const own = layers.filter(
    (layer) => !goesOn(structure, layer) && !isAddedOutside(structure, layer),
  );
  const outer = own.filter(
    ({ path }) => !own.some((one) => one.path !== path && isWithin(path, one.path)),
  );
  const kinds = new Map<string, typeof outer>();
  for (const layer of outer) kinds.set(layer.class, [...(kinds.get(layer.class) ?? []), layer]);
  return [...kinds.values()].flatMap((group): Finding[] => {
    const [first] = group;
    if (!first || group.length < 2 || first.file === null) return [];
    return [
      {
        code: "block/no-residual",
        severity: "warning",
        message: `None of the ${group.length} ${first.class} adds what it makes to what it got: there is no residual path, and gradients must pass every layer (class on ${linesText([first.line ?? 1])})`,
        file: first.file,
        line: first.line,
        module: first.path,
        evidence: { layers: group.length, class: first.class },
      },
    ];
  });
}

/** Whether the stream comes through by something else than a sum: a gate between it and a branch. */
function goesOn({ nodes, attention, found }: Structure, { calls: [call] }: TracedModule): boolean {
  const [input, output] = [call?.inputs[0], call?.outputs[0]];
  const mixing = new Set(attention.map((one) => one.mixing));
  const obstacles = { mixing, throughActivations: false };
  return !!input && !!output && comesThrough(nodes, input.value, output.value, found, obstacles);
}

/** `x = layer(x) + x`: who calls the layer adds what it got. */
function isAddedOutside({ producers, found }: Structure, { calls: [call] }: TracedModule): boolean {
  const [input, output] = [call?.inputs[0]?.value, call?.outputs[0]?.value];
  if (!input || !output) return false;
  return producers
    .readersOf(output)
    .some(
      ({ op, inputs }) =>
        op === "Add" && inputs.some((one) => one && found.idOf(one) === found.idOf(input)),
    );
}

const isWithin = (path: string, ancestor: string): boolean =>
  path === ancestor || ancestor === "" || path.startsWith(`${ancestor}.`);

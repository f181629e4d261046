/** Attention layers in a list whose result replaces the stream and is not added to it. */

import { sameShape } from "../graph/tensor.ts";
import type { Finding } from "../protocol/report.ts";
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
  const outer = layers.filter(
    ({ path }) => !layers.some((one) => one.path !== path && isWithin(path, one.path)),
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

const isWithin = (path: string, ancestor: string): boolean =>
  path === ancestor || ancestor === "" || path.startsWith(`${ancestor}.`);

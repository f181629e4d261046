/** A residual stream that grows faster than independent branches make it. */
import type { Finding } from "../protocol/report.ts";
import { type Evidence, figure } from "./evidence.ts";
import { blockPlace, stacksOf } from "./stacks.ts";

const fewestBlocks = 6;

/** Independent branches of one size add variance: RMS ∝ √depth. Equal ones add amplitude: RMS ∝ depth. */
export const streamGrowth = ({ report, limits }: Evidence): Finding[] =>
  stacksOf(report.blocks).flatMap((blocks): Finding[] => {
    if (blocks.length < fewestBlocks) return [];
    const rms = blocks.map(({ streamRms }) => Number(streamRms));
    const half = Math.floor(blocks.length / 2);
    const [middle = 1, last = 1] = [rms[half - 1], rms.at(-1)];
    const exponent = Math.log(last / middle) / Math.log(blocks.length / half);
    if (!(exponent > limits.streamExponent)) return [];
    return [
      {
        code: "depth/stream-growth",
        severity: "warning",
        message: `The residual stream's RMS grows as depth to the power ${figure(exponent)} (${figure(middle)} at block ${half}, ${figure(last)} at block ${blocks.length}); independent branches give 0.5`,
        ...blockPlace({ report }, blocks.at(-1)),
        evidence: { exponent, limit: limits.streamExponent, "half RMS": middle, "last RMS": last },
      },
    ];
  });

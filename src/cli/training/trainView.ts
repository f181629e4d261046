/** Training while it goes on: loss over steps and one row of gradients, redrawn in place. */
import { formatMs, formatNumber } from "../../present/number.ts";
import { thinned } from "../../present/plot.ts";
import { sparkline } from "../../present/sparkline.ts";
import type { TrainEvent, TrainStep } from "../../protocol/training.ts";
import type { Output } from "../output.ts";
import { truncate } from "../textWidth.ts";

export interface TrainView {
  event(event: TrainEvent): void;
  /** Removes what was drawn. */
  end(): void;
}

/** Where nobody watches a terminal, a line every so often. */
const linesInAll = 10;
const redrawMs = 100;
const lossWidth = 40;

export function trainView(output: Output, total: number): TrainView {
  const steps: TrainStep[] = [];
  let layers: readonly string[] = [];
  let drawn = 0;
  let lastDrawn = 0;
  let first = 1;
  const began = performance.now();

  const clear = () => {
    for (; drawn > 0; drawn--) output.write("\u001b[1A\u001b[2K");
    output.write("\r");
  };

  const draw = () => {
    const last = steps.at(-1);
    if (last === undefined) return;
    const perStep = (performance.now() - began) / (last.step - first + 1);
    const left = perStep * (total - last.step);
    const losses = thinned(steps, lossWidth).map(({ loss }) => loss);
    const lines = [
      `step ${last.step} of ${total}  loss ${formatNumber(last.loss)}  gradient ${formatNumber(last.gradient)}  lr ${formatNumber(last.lr)}  ${formatMs(perStep)} a step, ${formatMs(left)} left`,
      `loss       ${sparkline(losses, lossWidth)}`,
      `gradients  ${sparkline(last.layerGradients, lossWidth)}  ${layers[0] ?? ""} to ${layers.at(-1) ?? ""}`,
      ...(last.streamRms.length > 0
        ? [`stream     ${sparkline(last.streamRms, lossWidth)}  first to last block`]
        : []),
    ];
    clear();
    output.write(lines.map((line) => `${truncate(line, output.columns - 1)}\n`).join(""));
    drawn = lines.length;
  };

  const every = Math.max(1, Math.ceil(total / linesInAll));
  const log = (told: readonly TrainStep[]) => {
    for (const { step, loss, gradient } of told)
      if (step % every === 0 || step === total)
        output.write(
          `step ${step}  loss ${formatNumber(loss)}  gradient ${formatNumber(gradient)}\n`,
        );
  };

  return {
    event(event) {
      if (event.kind === "begin") {
        layers = event.layers;
        first = event.firstStep;
      }
      if (event.kind !== "steps") return;
      steps.push(...event.steps);
      if (!output.isTerminal) return log(event.steps);
      const now = performance.now();
      if (now - lastDrawn < redrawMs) return;
      lastDrawn = now;
      draw();
    },
    end() {
      if (output.isTerminal) clear();
    },
  };
}

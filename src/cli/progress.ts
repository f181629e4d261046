/** One line on stderr that says what is being done, while somebody is looking. */

import { formatMs } from "../present/number.ts";
import type { Stage } from "../protocol/engine.ts";
import type { SetupStage } from "../setup/installCuda.ts";
import type { Output } from "./output.ts";
import { truncate } from "./textWidth.ts";

type Step = Stage | SetupStage;

const doing: Readonly<Record<Step, string>> = {
  start: "starting Python",
  trace: "tracing",
  build: "adding gradients and statistics",
  session: "preparing the session",
  run: "running",
  export: "exporting",
  fetch: "fetching the provider",
  unpack: "unpacking it",
  check: "trying it",
};

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const frameMs = 100;
const clearLine = "\r\u001b[2K";

export interface ProgressLine {
  stage(stage: Step): void;
  /** Removes the line. */
  end(): void;
}

export function showProgress(output: Output, subject: string): ProgressLine {
  if (!output.isTerminal) return { stage: () => undefined, end: () => undefined };
  const began = performance.now();
  let stage: Step = "start";
  let frame = 0;
  const draw = () => {
    const time = formatMs(performance.now() - began);
    const text = `${frames[frame++ % frames.length]} ${subject}: ${doing[stage]}  ${time}`;
    output.write(clearLine + output.paint("dim", truncate(text, output.columns - 1)));
  };
  const timer = setInterval(draw, frameMs);
  timer.unref();
  return {
    stage(next) {
      stage = next;
      draw();
    },
    end() {
      clearInterval(timer);
      output.write(clearLine);
    },
  };
}

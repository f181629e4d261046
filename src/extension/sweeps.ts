/** One model with several values of one argument, each with several seeds: at initialisation. */
import { type Event, EventEmitter, Uri } from "vscode";
import { initMeasures } from "../present/sweep/measures.ts";
import { choicesText } from "../present/sweep/results.ts";
import type { SweepRunShown, SweepShown } from "../protocol/sweepPage.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { subjectOf } from "./runRequest.ts";
import type { Runs } from "./runs.ts";

export interface SweepAxis {
  /** An argument of the constructor. */
  readonly name: string;
  /** Python literals. */
  readonly values: readonly string[];
}

export interface Sweeps {
  /** A run of a sweep has ended, or another sweep is shown. */
  readonly onDidChange: Event<void>;
  /** The last one of this window. */
  readonly current: SweepShown | null;
  /** Seeds from that of the configuration on. Rejects with a cancellation; what was run is kept. */
  start(configuration: RunConfiguration, axis: SweepAxis, seeds: number): Promise<SweepShown>;
  dispose(): void;
}

export function createSweeps(runs: Runs): Sweeps {
  const changed = new EventEmitter<void>();
  let current: SweepShown | null = null;
  const show = (sweep: SweepShown): SweepShown => {
    current = sweep;
    changed.fire();
    return sweep;
  };
  return {
    onDidChange: changed.event,
    get current() {
      return current;
    },
    async start(configuration, axis, seeds) {
      const { uri, entry, set } = configuration;
      const planned = plan(axis, configuration.seed, seeds);
      const subject = subjectOf(Uri.parse(uri).fsPath, entry);
      let sweep: SweepShown = {
        ...{ subject, axis: axis.name, outcomes: planned, failures: [], isRunning: true },
      };
      show(sweep);
      const variants = planned.map(({ run }) => {
        return { set: { ...set, ...run.choices }, seed: run.seed };
      });
      try {
        await runs.measureAll(configuration, variants, (index, answer) => {
          const one = planned[index];
          if (one === undefined) return;
          if ("failed" in answer) {
            const { choices, seed } = one.run;
            const text = `${choicesText(choices)} seed=${seed}: ${answer.failed}`;
            sweep = show({ ...sweep, failures: [...sweep.failures, text] });
            return;
          }
          const done = { ...one, result: initMeasures(answer) };
          const outcomes = sweep.outcomes.map((it) => (it.run.index === index ? done : it));
          sweep = show({ ...sweep, outcomes });
        });
      } finally {
        sweep = show({ ...sweep, isRunning: false });
      }
      return sweep;
    },
    dispose: () => changed.dispose(),
  };
}

const plan = ({ name, values }: SweepAxis, firstSeed: number, seeds: number): SweepRunShown[] =>
  values
    .flatMap((value) =>
      Array.from({ length: seeds }, (_, at) => ({
        choices: { [name]: value },
        seed: firstSeed + at,
      })),
    )
    .map((run, index) => ({ run: { index, ...run }, result: null }));

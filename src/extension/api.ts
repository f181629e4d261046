/** What `activate` returns to other extensions. Version 1 gains members; it loses and changes none. */
import { type Event, EventEmitter } from "vscode";
import type { RunReport } from "../protocol/report.ts";
import type { RunConfiguration } from "../protocol/webview.ts";
import { lastConfiguration } from "./configurations.ts";
import type { Ctx } from "./context.ts";

export interface NormscopeApi {
  readonly version: 1;
  /**
   * Runs a model of a Python file and shows its numbers. `entry` is a class, or null for a script;
   * what `options` leaves out is as it was last. Rejects with an error that has a `code`.
   */
  run(
    uri: string,
    entry: string | null,
    options?: Partial<Omit<RunConfiguration, "uri" | "entry">>,
  ): Promise<RunReport>;
  /** The report whose numbers are shown, or null. */
  readonly report: RunReport | null;
  readonly onDidChangeReport: Event<RunReport | null>;
}

export function createApi(ctx: Ctx): NormscopeApi {
  const { runs, extension } = ctx;
  const changed = new EventEmitter<RunReport | null>();
  let last: RunReport | null = null;
  const subscription = runs.onDidChange(() => {
    const report = runs.current?.report ?? null;
    if (report === last) return;
    last = report;
    changed.fire(report);
  });
  extension.subscriptions.push(changed, subscription);
  return {
    version: 1,
    async run(uri, entry, options = {}) {
      return (await runs.run({ ...lastConfiguration(ctx, uri, entry), ...options })).report;
    },
    get report() {
      return runs.current?.report ?? null;
    },
    onDidChangeReport: changed.event,
  };
}

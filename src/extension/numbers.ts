/** The numbers that stand beside each open document: computed once for each of its versions. */
import { type Disposable, type Event, EventEmitter, type TextDocument } from "vscode";
import { type FileNumbers, fileNumbers } from "../present/fileNumbers.ts";
import { onlyLayer } from "../present/onlyLayer.ts";
import type { RunReport } from "../protocol/report.ts";
import type { Runs } from "./runs.ts";
import type { MeasuredByRun } from "./storedRun.ts";

export interface Numbers {
  /** The numbers of some document may have changed, other than by an edit. */
  readonly onDidChange: Event<void>;
  /** null where no run measured the document. */
  of(document: TextDocument): FileNumbers<MeasuredByRun> | null;
  /** Path of the block that alone is shown, or null for all layers folded. */
  readonly pinned: string | null;
  pin(path: string | null): void;
  dispose(): void;
}

export function createNumbers(runs: Runs): Numbers {
  const changed = new EventEmitter<void>();
  let cache = new WeakMap<TextDocument, Cached>();
  let pinned: string | null = null;
  let ofLayer = new WeakMap<RunReport, RunReport>();
  const forget = () => {
    cache = new WeakMap();
    changed.fire();
  };
  const subscription: Disposable = runs.onDidChange(forget);

  function pinnedReport(report: RunReport, path: string): RunReport {
    const known = ofLayer.get(report) ?? onlyLayer(report, path);
    ofLayer.set(report, known);
    return known;
  }

  return {
    onDidChange: changed.event,
    of(document) {
      const known = cache.get(document);
      if (known?.version === document.version) return known.numbers;
      const path = pinned;
      const measured = runs.of(document.uri.fsPath);
      const shown =
        path === null
          ? measured
          : measured.map((it) => ({ ...it, report: pinnedReport(it.report, path) }));
      const numbers = shown.length === 0 ? null : fileNumbers(document.getText(), shown);
      cache.set(document, { version: document.version, numbers });
      return numbers;
    },
    get pinned() {
      return pinned;
    },
    pin(path) {
      pinned = path;
      ofLayer = new WeakMap();
      forget();
    },
    dispose() {
      subscription.dispose();
      changed.dispose();
    },
  };
}

interface Cached {
  readonly version: number;
  readonly numbers: FileNumbers<MeasuredByRun> | null;
}

/** What the extension has told a page so far. */

import { type ClaimsShown, noClaims } from "../../src/protocol/claimsPage.ts";
import type { DetailReport } from "../../src/protocol/engine.ts";
import type { SweepShown } from "../../src/protocol/sweepPage.ts";
import { noTrainings, type TrainingsShown } from "../../src/protocol/trainingPage.ts";
import type {
  Failure,
  MemoryShown,
  ModelForm,
  PanelPage,
  RunProgress,
  RunSummary,
  ShownRun,
  ToWebview,
  ValueOfRun,
} from "../../src/protocol/webview.ts";

export interface Session {
  readonly isTrusted: boolean;
  /** Of the panel; the dashboard has none. */
  readonly page: PanelPage;
  readonly runs: readonly RunSummary[];
  /** The first is the one that the others are compared with. */
  readonly shown: readonly ShownRun[];
  readonly value: ValueOfRun | null;
  readonly detail: ValueDetail | null;
  readonly form: ModelForm | null;
  readonly progress: RunProgress | null;
  readonly failure: Failure | null;
  readonly trainings: TrainingsShown;
  readonly sweep: SweepShown | null;
  readonly claims: ClaimsShown;
  /** Of what the form holds; null where nobody has asked. */
  readonly memory: MemoryShown | null;
}

/** The answer to the last request for details. */
export interface ValueDetail {
  readonly value: ValueOfRun;
  /** null where the engine has none. */
  readonly detail: DetailReport | null;
}

export const emptySession: Session = {
  isTrusted: true,
  page: "configure",
  runs: [],
  shown: [],
  value: null,
  detail: null,
  form: null,
  progress: null,
  failure: null,
  trainings: noTrainings,
  sweep: null,
  claims: noClaims,
  memory: null,
};

export function received(session: Session, message: ToWebview): Session {
  switch (message.type) {
    case "init": {
      const { page, isTrusted, runs, shown, value, form, progress, failure, trainings } = message;
      const { sweep, claims } = message;
      const told = { isTrusted, runs, shown, value, form, progress, failure, trainings };
      return { ...session, ...told, sweep, claims, page: page ?? session.page };
    }
    case "runs":
      return { ...session, runs: message.runs, shown: withSummaries(session.shown, message.runs) };
    case "show": {
      const { shown, value } = message;
      const page = message.page ?? session.page;
      return { ...session, page, shown, value: value ?? session.value, failure: null };
    }
    case "configure":
      return { ...session, page: message.page, form: message.form, memory: null };
    case "memory":
      return { ...session, memory: message.memory };
    case "sweep":
      return { ...session, sweep: message.sweep };
    case "claims":
      return { ...session, claims: message.claims };
    case "trainings":
      return { ...session, trainings: { list: message.list, shown: message.shown } };
    case "progress":
      return message.progress === null
        ? { ...session, progress: null }
        : { ...session, progress: message.progress, failure: null };
    case "failed":
      return { ...session, progress: null, failure: message.failure };
    case "detail":
      return { ...session, detail: { value: message.value, detail: message.detail } };
    case "theme":
    case "picked":
    case "cursor":
      return session;
  }
}

/** A run that is shown can be renamed, or become stale. */
function withSummaries(
  shown: readonly ShownRun[],
  runs: readonly RunSummary[],
): readonly ShownRun[] {
  const byId = new Map(runs.map((run) => [run.id, run]));
  return shown.map((run) => ({ ...run, summary: byId.get(run.summary.id) ?? run.summary }));
}

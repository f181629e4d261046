/** The extension's settings, as values of their types: what the manifest declares, no more. */
import { type ConfigurationScope, workspace } from "vscode";
import { type Device, type Mode, modes } from "../protocol/choices.ts";
import type { LensKind } from "./lensPlan.ts";

export const inlineModes = ["off", "currentLine", "all"] as const;
export type InlineMode = (typeof inlineModes)[number];

export interface Settings {
  readonly enabled: boolean;
  readonly runOnSave: boolean;
  readonly seed: number;
  /** null: as a script says, else evaluation. */
  readonly mode: Mode | null;
  /** Milliseconds; null for none. */
  readonly timeLimitMs: number | null;
  readonly packages: string | null;
  readonly device: Device;
  readonly inlineMode: InlineMode;
  readonly renderer: "decorations" | "inlayHints";
  readonly maxLength: number;
  readonly margin: number;
  readonly sparklines: boolean;
  readonly changes: boolean;
  readonly inDiffEditors: boolean;
  readonly delayMs: number;
  readonly lenses: Readonly<Record<LensKind, boolean>>;
  readonly hovers: boolean;
  readonly hoverChart: boolean;
  readonly problems: boolean;
  readonly gutterMarks: boolean;
  readonly silenced: readonly string[];
  /** Thresholds of findings, by name. */
  readonly limits: Readonly<Record<string, number>>;
  readonly followCursor: boolean;
  readonly historyLimit: number;
}

/** Every key of the manifest below `normscope.`, with the value that stands for a missing one. */
export const defaults = {
  enabled: true,
  "run.onSave": true,
  "run.seed": 0,
  "run.mode": "asWritten",
  "run.timeLimit": 120,
  "run.packages": "",
  device: "auto",
  "inline.mode": "all",
  "inline.renderer": "decorations",
  "inline.maxLength": 80,
  "inline.margin": 3,
  "inline.sparklines": true,
  "inline.changes": true,
  "inline.diffEditors": false,
  "inline.delay": 300,
  "lenses.enabled": true,
  "lenses.run": true,
  "lenses.compare": true,
  "lenses.export": true,
  "lenses.numbers": true,
  "hover.enabled": true,
  "hover.chart": true,
  "findings.problems": true,
  "findings.gutter": true,
  "findings.silenced": [] as readonly string[],
  "findings.limits": {} as Readonly<Record<string, number>>,
  "model.followCursor": false,
  "history.limit": 30,
} as const;
type Key = keyof typeof defaults;

export function readSettings(scope: ConfigurationScope | null = null): Settings {
  const configuration = workspace.getConfiguration("normscope", scope);
  const get = <Value>(key: Key): Value => {
    const value: unknown = configuration.get(key) ?? defaults[key];
    // A value of another type is the user's mistake, which the settings editor already marks.
    const isOfType = typeof value === typeof defaults[key];
    return (isOfType ? value : defaults[key]) as Value;
  };
  const withLenses = get<boolean>("lenses.enabled");
  const timeLimit = get<number>("run.timeLimit");
  return {
    enabled: get("enabled"),
    runOnSave: get("run.onSave"),
    seed: get("run.seed"),
    mode: modes.find((mode) => mode === get("run.mode")) ?? null,
    timeLimitMs: timeLimit > 0 ? timeLimit * 1000 : null,
    packages: get<string>("run.packages") || null,
    device: get("device"),
    inlineMode: get("inline.mode"),
    renderer: get("inline.renderer"),
    maxLength: get("inline.maxLength"),
    margin: get("inline.margin"),
    sparklines: get("inline.sparklines"),
    changes: get("inline.changes"),
    inDiffEditors: get("inline.diffEditors"),
    delayMs: get("inline.delay"),
    lenses: {
      run: withLenses && get<boolean>("lenses.run"),
      script: withLenses && get<boolean>("lenses.run"),
      compare: withLenses && get<boolean>("lenses.compare"),
      export: withLenses && get<boolean>("lenses.export"),
      numbers: withLenses && get<boolean>("lenses.numbers"),
    },
    hovers: get("hover.enabled"),
    hoverChart: get("hover.chart"),
    problems: get("findings.problems"),
    gutterMarks: get("findings.gutter"),
    silenced: get("findings.silenced"),
    // The editor hands out proxies of objects, which cannot be sent to the engine.
    limits: { ...get<Settings["limits"]>("findings.limits") },
    followCursor: get("model.followCursor"),
    historyLimit: get("history.limit"),
  };
}

/** A part of a tokenizer.json: its type, and what it sets. */
import { tokenizerUnsupported } from "../errors.ts";

export interface Settings {
  readonly type: string;
  readonly [name: string]: unknown;
}

/** null stands for "does nothing". */
export function settingsOf(value: unknown, what: string): Settings | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "object" && "type" in value && typeof value.type === "string")
    return value as Settings;
  throw tokenizerUnsupported(`${what} without a type`);
}

/** The parts of a "Sequence", under whichever name it has them. */
export function partsOf(settings: Settings, name: string, what: string): Settings[] {
  const parts = settings[name];
  if (!Array.isArray(parts)) throw tokenizerUnsupported(`${what} without parts`);
  return parts.flatMap((part: unknown) => settingsOf(part, what) ?? []);
}

export const flag = (settings: Settings, name: string, otherwise: boolean): boolean =>
  typeof settings[name] === "boolean" ? settings[name] : otherwise;

export const textSetting = (settings: Settings, name: string): string | null =>
  typeof settings[name] === "string" ? settings[name] : null;

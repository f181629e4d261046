/** A verdict as workflow commands, which GitHub shows beside the lines of a change. */
import { failures, type Verdict } from "./verdict.ts";

const commands = { error: "error", warning: "warning", information: "notice" } as const;

export const annotations = (verdict: Verdict): string[] =>
  failures(verdict).map(({ code, severity, message, file, line }) => {
    const place = file === null ? "" : `file=${property(file)},line=${line ?? 1},`;
    return `::${commands[severity]} ${place}title=${property(code)}::${data(message)}`;
  });

const data = (text: string): string =>
  text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

const property = (text: string): string => data(text).replaceAll(":", "%3A").replaceAll(",", "%2C");

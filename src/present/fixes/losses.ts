/** Fixes of what a loss compares, and of scores that tanh caps. */
import {
  type Argument,
  codeAt,
  type Fix,
  fixOf,
  onlyCall,
  type Place,
  spliced,
  writtenIn,
} from "./place.ts";

/** `torch.tanh(scores / c)`, `(scores / c).tanh()`: c in front of it. */
export function capScores(place: Place): Fix | null {
  const { line } = place;
  const all = [
    ...codeAt(place, line).matchAll(
      /(?<![\w.*] ?)(?:(?:torch|F)\.tanh\(\w+ ?\/ ?([\w.]+)\)|\(\w+ ?\/ ?([\w.]+)\)\.tanh\(\))/g,
    ),
  ];
  const [match] = all;
  const cap = match?.[1] ?? match?.[2];
  if (!match || cap === undefined || all.length > 1) return null;
  return fixOf("capScores", spliced(place, line, match.index, match.index, `${cap} * `));
}

/** `F.kl_div(F.softmax(x, …), p)` and `F.kl_div(logits, p)`: log_softmax of what is first. */
export function logProbabilities(place: Place): Fix | null {
  const { finding, line } = place;
  const call = onlyCall(place, line, "kl_div");
  const [given] = call?.args ?? [];
  const prefix = /([\w.]+\.)$/.exec(codeAt(place, line).slice(0, call?.start))?.[1];
  if (!call || !given || given.name !== null || prefix === undefined) return null;
  const isShare = Number(finding.evidence["from"]) >= 0 && Number(finding.evidence["to"]) <= 1;
  const soft = /^((?:F|torch|nn\.functional)\.)softmax\((?=[^()]*\)$)/.exec(given.text);
  if (soft !== null) {
    const start = given.start + (soft[1] ?? "").length;
    return fixOf("logProbabilities", spliced(place, line, start, start, "log_"));
  }
  if (isShare || !/^\w+$/.test(given.text)) return null;
  const text = `${prefix}log_softmax(${given.text}, dim=-1)`;
  return fixOf("logProbabilities", spliced(place, line, given.start, given.end, text));
}

const lossCalls = "mse_loss|l1_loss|smooth_l1_loss|huber_loss";

/** Of `[n, 1]` and `[n]` the first, where it is a name. */
export function squeezeColumn(place: Place): Fix | null {
  const { finding, line } = place;
  const call = onlyCall(place, line, lossCalls);
  const shapes = [finding.evidence["prediction"], finding.evidence["target"]].map(String);
  const at = shapes.findIndex((shape, k) => shape.replace(/, 1\]$/, "]") === shapes[1 - k]);
  const column: Argument | undefined = call?.args[at];
  if (at < 0 || !column || !/^[\w.]+$/.test(writtenIn(column))) return null;
  return fixOf("squeezeColumn", spliced(place, line, column.end, column.end, ".squeeze(-1)"));
}

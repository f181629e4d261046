/** Fixes of what weighs: softmax that is missing or there twice, gates, means under a mask. */
import {
  codeAt,
  type Fix,
  type FixKind,
  fixOf,
  onlyCall,
  onlyMatch,
  type Place,
  spliced,
} from "./place.ts";

/** `F.relu(scores)`, `torch.sigmoid(scores)`, `scores.relu()`. */
export function useSoftmax(place: Place): Fix | null {
  const { line } = place;
  const call = onlyCall(place, line, "relu|sigmoid");
  const before = codeAt(place, line).slice(0, call?.start);
  if (call === null || !before.endsWith(".") || call.args.length > 1) return null;
  const isFunction = /\b(?:F|torch|functional)\.$/.test(before);
  if (isFunction !== (call.args.length === 1)) return null;
  const [given] = call.args;
  const text = given ? `softmax(${given.text}, dim=-1)` : "softmax(dim=-1)";
  return fixOf("useSoftmax", spliced(place, line, call.start, call.close + 1, text));
}

const softmax =
  /(?<![\w.])(?:(?:F|torch|nn\.functional)\.softmax\((\w+), ?(?:dim ?= ?)?-?\d\)|(\w+)\.softmax\((?:dim ?= ?)?-?\d\))/;

/** Softmax of a name, which is the weights already. */
export const softmaxOnce = (place: Place): Fix | null => replaced(place, "softmaxOnce", softmax);

/** `gates / gates.sum(…)`. */
export const keepGate = (place: Place): Fix | null =>
  replaced(place, "keepGate", /(?<![\w.])(\w+) ?\/ ?\1\.sum\([^()]*\)/);

/** The only such piece of the line becomes the name in it. */
function replaced(place: Place, kind: FixKind, pattern: RegExp): Fix | null {
  const { line } = place;
  const all = [...codeAt(place, line).matchAll(new RegExp(pattern.source, "g"))];
  const [match] = all;
  const name = match?.[1] ?? match?.[2];
  if (!match || name === undefined || all.length > 1) return null;
  return fixOf(kind, spliced(place, line, match.index, match.index + match[0].length, name));
}

/** `(losses * keep).mean()`, where the losses are those of a cross-entropy of this function. */
export function meanOfKept(place: Place): Fix | null {
  const { line } = place;
  const match = /\((\w+) \* (\w+)\)\.mean\(\)/.exec(codeAt(place, line));
  if (match === null) return null;
  const [piece, first, second] = match;
  const isLoss = (name: string | undefined): boolean =>
    onlyMatch(place, new RegExp(String.raw`(?<![\w.])${name} = .*cross_entropy\(`)) !== null;
  if (isLoss(first) === isLoss(second)) return null;
  const mask = isLoss(first) ? second : first;
  const end = match.index + piece.length;
  const text = `(${first} * ${second}).sum() / ${mask}.sum()`;
  return fixOf("meanOfKept", spliced(place, line, match.index, end, text));
}

/** Fixes in blocks, norms, losses and constructors. */
import {
  argumentOf,
  type CallText,
  codeAt,
  type Fix,
  fixOf,
  type LineEdit,
  onlyCall,
  onlyMatch,
  type Place,
  spliced,
  textAt,
  writtenIn,
} from "./place.ts";

/** `x / (root(…) + eps)` on one line, or with the root under a name that only this sum reads. */
export function epsInside(place: Place): Fix | null {
  const { finding, line } = place;
  if (finding.evidence["eps stands"] !== "outside") return null;
  const root = rootOn(place, line);
  if (root === null) return epsOfName(place);
  const { start, end, inner } = root;
  const behind = /^ ?\+ ?([\w.]+)/.exec(codeAt(place, line).slice(end));
  if (behind === null) return null;
  const text = `(${inner} + ${behind[1]}).sqrt()`;
  return fixOf("epsInside", spliced(place, line, start, end + behind[0].length, text));
}

function epsOfName(place: Place): Fix | null {
  const { line } = place;
  const sum = /\((\w+) \+ ([\w.]+)\)/.exec(codeAt(place, line));
  if (sum === null) return null;
  const [whole, name = "", eps = ""] = sum;
  const made = onlyMatch(place, new RegExp(String.raw`^\s*${name} = `));
  const read = onlyMatch(place, new RegExp(String.raw`(?<![\w.])${name}\b(?! = )`));
  const root = made && rootOn(place, made.line);
  if (made === null || root === null || read === null) return null;
  const { start, end, inner } = root;
  const isAll = start === made.match[0].length && end === codeAt(place, made.line).trimEnd().length;
  if (!isAll) return null;
  return fixOf(
    "epsInside",
    spliced(place, made.line, start, end, `(${inner} + ${eps}).sqrt()`),
    spliced(place, line, sum.index, sum.index + whole.length, name),
  );
}

/** `torch.sqrt(…)` or `….sqrt()` of a chain that starts at a name. */
function rootOn(place: Place, line: number): { start: number; end: number; inner: string } | null {
  const [code, text] = [codeAt(place, line), textAt(place, line)];
  const call = onlyCall(place, line, String.raw`torch\.sqrt`);
  if (call !== null)
    return {
      start: call.start,
      end: call.close + 1,
      inner: text.slice(call.open, call.close),
    };
  const chain = /(?<![\w.])\w+(?:\.\w+(?:\((?:[^()]|\([^()]*\))*\))?)*?\.sqrt\(\)/.exec(code);
  if (chain === null || code.split(".sqrt()").length > 2) return null;
  const end = chain.index + chain[0].length;
  return { start: chain.index, end, inner: text.slice(chain.index, end - ".sqrt()".length) };
}

/** `x = norm(x)` in front of `x = x + f(x)`: the branch alone is to be normalised. */
export function normBranch(place: Place): Fix | null {
  const { masked, from, to } = place;
  const name = ["h", "y", "normed"].find((it) => onlyOutside(place, it));
  if (name === undefined) return null;
  const edits: LineEdit[] = [];
  for (let line = from; line + 1 < to; line++) {
    const norm = /^(\s*)(\w+) = (self\.[\w.]+\((\w+)\))\s*$/.exec(masked[line] ?? "");
    if (norm === null || norm[2] !== norm[4]) continue;
    const [, indent = "", stream = "", made = ""] = norm;
    const sum = new RegExp(String.raw`^(\s*(?:${stream} =|return) ${stream} \+ )(.*)$`).exec(
      masked[line + 1] ?? "",
    );
    const own = new RegExp(String.raw`(?<![\w.])${stream}\b(?! ?=)`, "g");
    if (sum === null || !own.test(sum[2] ?? "")) continue;
    const head = sum[1] ?? "";
    const rest = textAt(place, line + 1).slice(head.length);
    edits.push(
      { line, text: `${indent}${name} = ${made}` },
      { line: line + 1, text: head + rest.replaceAll(own, name) },
    );
  }
  return edits.some(({ line }) => line === place.line) ? fixOf("normBranch", ...edits) : null;
}

/** Whether a name is free in the function. */
const onlyOutside = ({ masked, from, to }: Place, name: string): boolean =>
  !masked.slice(from, to).some((code) => new RegExp(String.raw`\b${name}\b`).test(code));

/**
 * A norm of the width that the head takes, made beside the head; of the one kind that the file uses.
 */
export function closingNorm(place: Place): Fix | null {
  const { line, masked } = place;
  const calls = [...codeAt(place, line).matchAll(/\bself\.(\w+)\((\w+)\)/g)];
  const [call] = calls;
  if (call === undefined || calls.length > 1) return null;
  const [whole, head = "", stream = ""] = call;
  const kinds = new Set(
    [
      ...masked.join("\n").matchAll(/\bnn\.(LayerNorm|RMSNorm|Transformer(?:En|De)coderLayer)\(/g),
    ].map(([, kind]) => (kind === "RMSNorm" ? "nn.RMSNorm" : "nn.LayerNorm")),
  );
  const made = masked.flatMap((code, at) => {
    const match = new RegExp(String.raw`^(\s*)self\.${head} = nn\.Linear\(([\w.]+),`).exec(code);
    return match ? [{ at, match }] : [];
  });
  const [only] = made;
  const name = ["final_norm", "closing_norm"].find((it) => !masked.join("\n").includes(it));
  if (only === undefined || made.length > 1 || kinds.size !== 1 || name === undefined) return null;
  const [, indent = "", width = ""] = only.match;
  const norm = `${indent}self.${name} = ${[...kinds].join()}(${width})`;
  const end = call.index + whole.length;
  return fixOf(
    "closingNorm",
    { line: only.at, text: `${norm}\n${textAt(place, only.at)}` },
    spliced(place, line, call.index, end, `self.${head}(self.${name}(${stream}))`),
  );
}

/** A sum under a name that nothing reads. */
export function keepSum(place: Place): Fix | null {
  const { line, masked, from, to } = place;
  const sum = /^(\s*)(\w+) = (\w+) \+ /.exec(codeAt(place, line));
  if (sum === null || sum[2] === sum[3]) return null;
  const [, indent = "", name = "", stream = ""] = sum;
  const read = new RegExp(String.raw`\b${name}\b`);
  const isRead = masked.slice(from, to).some((code, at) => from + at !== line && read.test(code));
  if (isRead) return null;
  const start = indent.length;
  return fixOf("keepSum", spliced(place, line, start, start + name.length, stream));
}

/** Samples lie on axis 0, positions on axis 1: the finding has seen which is which. */
export function overPositions(place: Place): Fix | null {
  const call = onlyCall(place, place.line, "mean|sum|amax");
  const axis = call?.args[0];
  if (axis === undefined || writtenIn(axis) !== "0" || (axis.name ?? "dim") !== "dim") return null;
  return fixOf("overPositions", spliced(place, place.line, axis.valueStart, axis.end, "1"));
}

/** `name == "text"`, where a name that was meant ends with it. */
export function endOfName(place: Place): Fix | null {
  const { finding, line } = place;
  const match = /(?<![\w.])(\w+) == (["'])( *)\2/.exec(codeAt(place, line));
  if (match === null) return null;
  const [whole, name, quote = ""] = match;
  const end = match.index + whole.length;
  const literal = textAt(place, line).slice(textAt(place, line).indexOf(quote, match.index), end);
  if (!String(finding.evidence["example"]).endsWith(literal.slice(1, -1))) return null;
  return fixOf("endOfName", spliced(place, line, match.index, end, `${name}.endswith(${literal})`));
}

/** All logits against all tokens, both flattened on the spot. */
export function shiftTargets(place: Place): Fix | null {
  const { line } = place;
  const call = onlyCall(place, line, "cross_entropy");
  const [logits, targets] = call?.args ?? [];
  if (!logits || !targets) return null;
  const rows = /^([\w.]+)\.(?:(?:view|reshape)\(-1, ?(.+)\)|flatten\(0, ?1\))$/.exec(logits.text);
  const tokens = /^([\w.]+)\.(?:(?:view|reshape)\(-1\)|flatten\((?:0, ?1)?\))$/.exec(targets.text);
  if (rows === null || tokens === null) return null;
  const flat = rows[2] === undefined ? "flatten(0, 1)" : `reshape(-1, ${rows[2]})`;
  const text = `${rows[1]}[:, :-1].${flat}, ${tokens[1]}[:, 1:].flatten()`;
  return fixOf("shiftTargets", spliced(place, line, logits.start, targets.end, text));
}

/** In a method: what else knows whether the model trains? */
export function dropInTraining(place: Place): Fix | null {
  const { line, from } = place;
  if (!/\(\s*self\b/.test(codeAt(place, from))) return null;
  const dropout = onlyCall(place, line, String.raw`(?:F|functional)\.dropout`);
  if (dropout !== null) return trainingFlag(place, dropout);
  const attention = onlyCall(place, line, "scaled_dot_product_attention");
  const share = attention && argumentOf(attention, "dropout_p");
  if (!share || !/^[\w.]+$/.test(writtenIn(share))) return null;
  return fixOf(
    "dropInTraining",
    spliced(place, line, share.end, share.end, " if self.training else 0.0"),
  );
}

function trainingFlag(place: Place, call: CallText): Fix | null {
  const { line } = place;
  const flag = argumentOf(call, "training");
  if (flag !== null)
    return fixOf(
      "dropInTraining",
      spliced(place, line, flag.valueStart, flag.end, "self.training"),
    );
  if (call.args.filter(({ name }) => name === null).length > 2) return null;
  const edit = spliced(place, line, call.close, call.close, ", training=self.training");
  return fixOf("dropInTraining", edit);
}

/** The one list or dict of modules among what this function loops over or calls. */
export function registerModules(place: Place): Fix | null {
  const { masked, lines, from, to } = place;
  if (!masked.some((code) => /^(?:from torch import .*\bnn\b|import torch\.nn as nn\b)/.test(code)))
    return null;
  const body = masked.slice(from, to).join("\n");
  const names = new Set([...body.matchAll(/\bself\.(\w+)\b/g)].map(([, name]) => name));
  const found = masked.flatMap((code, line) => {
    const match = /^\s*self\.(\w+) = (?=([[{]).*[\]}]\s*$)/.exec(code);
    const rest = code.slice(match?.[0].length);
    const holdsModules = /(?<!\w)(?:nn\.)?[A-Z]\w*\(/.test(rest);
    return match && names.has(match[1]) && holdsModules ? [{ line, match }] : [];
  });
  const [only] = found;
  if (only === undefined || found.length > 1) return null;
  const { line, match } = only;
  const text = (lines[line] ?? "").slice(0, (masked[line] ?? "").trimEnd().length);
  const kind = match[2] === "[" ? "nn.ModuleList" : "nn.ModuleDict";
  const head = match[0].length;
  return fixOf(
    "registerModules",
    spliced(place, line, head, text.length, `${kind}(${text.slice(head)})`),
  );
}

/** `nn.ModuleList([Layer(…)] * n)`. */
export function separateLayers(place: Place): Fix | null {
  const { line } = place;
  const call = onlyCall(place, line, String.raw`nn\.ModuleList`);
  const [given] = call?.args ?? [];
  if (!given || call?.args.length !== 1) return null;
  const match = /^\[((?:nn\.)?[A-Z]\w*\(.*\))\] \* ([\w.]+)$/.exec(given.text);
  if (match === null) return null;
  const text = `[${match[1]} for _ in range(${match[2]})]`;
  return fixOf("separateLayers", spliced(place, line, given.start, given.end, text));
}

/** The line of the loss stands in the evidence. */
export function crossEntropy(place: Place): Fix | null {
  const line = Number(place.finding.evidence["loss line"]) - 1;
  const isOfLogits = ["linear", "matmul"].includes(String(place.finding.evidence["made by"]));
  const match = /\bnll_loss(?=\()/.exec(codeAt(place, line));
  if (match === null || !isOfLogits) return null;
  const end = match.index + match[0].length;
  return fixOf("crossEntropy", spliced(place, line, match.index, end, "cross_entropy"));
}

/** Fixes in attention: its scale, the axis of its softmax, its mask. */
import {
  argumentOf,
  callFrom,
  codeAt,
  type Fix,
  fixOf,
  onlyCall,
  onlyMatch,
  type Place,
  spliced,
  textAt,
  writtenIn,
} from "./place.ts";

/** The finding says which axis is summed with the values, or that the classes are the last one. */
export function softmaxAxis(place: Place): Fix | null {
  const { finding, line } = place;
  const axis =
    finding.code === "loss/softmax-axis" ? -1 : Number(finding.evidence["axis of the keys"]);
  const call = onlyCall(place, line, "(?:log_)?softmax");
  if (call === null || !(axis < 0)) return null;
  const before = codeAt(place, line).slice(0, call.start);
  const isMethod = before.endsWith(".") && !/\b(?:F|torch|functional|special)\.$/.test(before);
  const positional = call.args.filter(({ name }) => name === null);
  const given = argumentOf(call, "dim") ?? positional[isMethod ? 0 : 1];
  if (given !== undefined && given !== null)
    return fixOf("softmaxAxis", spliced(place, line, given.valueStart, given.end, String(axis)));
  const text = call.args.length === 0 ? `dim=${axis}` : `, dim=${axis}`;
  return fixOf("softmaxAxis", spliced(place, line, call.close, call.close, text));
}

const turned = String.raw`\.(?:transpose\(-[12], ?-[12]\)|mT\b)`;
const product = new RegExp(
  String.raw`(?<!\w)(?:(\w+) @ \w+${turned}|torch\.(?:matmul|bmm)\((\w+), ?\w+${turned}\))`,
);
/** `/ math.sqrt(d)`, `* d ** -0.5`, `/ d ** 0.5`, `* self.scale`. */
const scalings = [
  /\/ ?(?:math|np)\.sqrt\([^()]*\)/,
  /\* ?\(?[\w.]+(?:\[-1\])? ?\*\* ?-0\.5\)?/,
  /\/ ?\(?[\w.]+(?:\[-1\])? ?\*\* ?0\.5\)?/,
  /\* ?self\.\w*scal\w*/,
];

export function attentionScale(place: Place): Fix | null {
  const { finding, line } = place;
  const call = onlyCall(place, line, "scaled_dot_product_attention");
  const given = call && argumentOf(call, "scale");
  if (call && given) {
    // The function's own scale is the right one.
    const start = codeAt(place, line).lastIndexOf(",", given.start);
    return start < call.open
      ? null
      : fixOf("dropScale", spliced(place, line, start, given.end, ""));
  }
  const scale = Number(finding.evidence["scale"]);
  const width = Number(finding.evidence["head width"]);
  if (finding.evidence["model width"] !== undefined) return headWidth(place);
  if (Math.abs(scale * width - 1) < 1e-3) return scaleOnce(place);
  return scale > 1.01 ? divideScores(place) : scaleScores(place);
}

/** The last axis of the queries is what is summed with the keys. */
function headWidth(place: Place): Fix | null {
  const query = queryOf(place);
  const found = scalings.flatMap((pattern) => onlyMatch(place, pattern) ?? []);
  const [scaling] = found;
  if (query === null || scaling === undefined || found.length > 1) return null;
  const { line, match } = scaling;
  const end = match.index + match[0].length;
  return fixOf("headWidth", spliced(place, line, match.index, end, `* ${query}.shape[-1] ** -0.5`));
}

function queryOf(place: Place): string | null {
  const match = onlyMatch(place, product)?.match;
  return match?.[1] ?? match?.[2] ?? null;
}

function divideScores(place: Place): Fix | null {
  const found = [/\*(?= ?(?:math|np)\.sqrt\()/, /(?<!\*)\*(?= ?[\w.]+(?:\[-1\])? ?\*\* ?0\.5)/]
    .map((pattern) => onlyMatch(place, pattern))
    .filter((match) => match !== null);
  const [factor] = found;
  if (factor === undefined || found.length > 1) return null;
  const { line, match } = factor;
  return fixOf("divideScores", spliced(place, line, match.index, match.index + 1, "/"));
}

/** Where the product is all that is assigned. */
function scaleScores(place: Place): Fix | null {
  const found = onlyMatch(place, product);
  const query = queryOf(place);
  if (found === null || query === null) return null;
  const { line, match } = found;
  const code = codeAt(place, line);
  const end = match.index + match[0].length;
  const isAlone = /^\s*\w+ = $/.test(code.slice(0, match.index)) && code.slice(end).trim() === "";
  return isAlone
    ? fixOf("scaleScores", spliced(place, line, end, end, ` * ${query}.shape[-1] ** -0.5`))
    : null;
}

/** In front of a function that scales itself. */
function scaleOnce(place: Place): Fix | null {
  if (onlyCall(place, place.line, "scaled_dot_product_attention") === null) return null;
  const factor = String.raw`(?:[^*/]*\*\* ?-0\.5|self\.\w*scal\w*)`;
  const found = [
    new RegExp(String.raw`^(\s*)(\w+) = \2 \* ${factor}\s*$`),
    /^(\s*)(\w+) = \2 \/ math\.sqrt\([^()]*\)\s*$/,
    new RegExp(String.raw`^(\s*)(\w+) \*= ${factor}\s*$`),
  ].flatMap((pattern) => onlyMatch(place, pattern) ?? []);
  const [scaling] = found;
  if (scaling === undefined || found.length > 1) return null;
  const { line, match } = scaling;
  const isOnlyStatement = /:\s*$/.test(codeAt(place, line - 1));
  return fixOf("scaleOnce", { line, text: isOnlyStatement ? `${match[1]}pass` : null });
}

/** The diagonal whose distance is what was measured. */
export function hideFuture(place: Place): Fix | null {
  const farthest = Number(place.finding.evidence["farthest ahead"]);
  for (const [name, wrong, right] of [
    ["triu", farthest + 1, 1],
    ["tril", farthest, 0],
  ] as const) {
    const found = onlyMatch(place, new RegExp(String.raw`\b${name}\(`));
    if (found === null) continue;
    const { line, match } = found;
    const open = match.index + match[0].length;
    const call = callFrom(textAt(place, line), codeAt(place, line), match.index, open);
    const last = call?.args.at(-1);
    if (last === undefined || (last.name !== null && last.name !== "diagonal")) return null;
    if (writtenIn(last).trim() !== String(wrong)) return null;
    return fixOf("hideFuture", spliced(place, line, last.valueStart, last.end, String(right)));
  }
  return null;
}

/** `masked_fill` takes Booleans alone; of other functions' masks it must be seen in the text. */
export function turnMask(place: Place): Fix | null {
  const { line } = place;
  const fill = onlyCall(place, line, "masked_fill_?");
  const call = fill ?? onlyCall(place, line, String.raw`scaled_dot_product_attention|self\.\w+`);
  const given = fill ? fill.args[0] : call && argumentOf(call, "attn_mask");
  if (given === undefined || given === null) return null;
  const value = writtenIn(given);
  const edit = (text: string) =>
    fixOf("turnMask", spliced(place, line, given.valueStart, given.end, text));
  if (/^~[\w.]+(?:\([^()]*\))?$/.test(value)) return edit(value.slice(1));
  const isName = /^[\w.]+$/.test(value);
  if (fill) return edit(isName ? `~${value}` : `~(${value})`);
  return isName && isBoolean(place, value) ? edit(`~${value}`) : null;
}

function isBoolean(place: Place, name: string): boolean {
  const made = onlyMatch(place, new RegExp(String.raw`^\s*${name} = (.*?)\s*$`))?.match[1] ?? "";
  return /\.bool\(\)$|torch\.bool\)$|^~|^[^()]*(?:[<>]=?|==)[^()]*$/.test(made);
}

export function hideByInfinity(place: Place): Fix | null {
  const call = onlyCall(place, place.line, "masked_fill_?");
  const fill = call?.args[1];
  if (fill === undefined || !/^-?[\d.]+(?:e\d+)?$/.test(writtenIn(fill))) return null;
  const edit = spliced(place, place.line, fill.valueStart, fill.end, 'float("-inf")');
  return fixOf("hideByInfinity", edit);
}

/** Where each row keeps a key: rows of -inf alone would be NaN. */
export function maskBefore(place: Place): Fix | null {
  const { finding, line } = place;
  if (!(Number(finding.evidence["least sum"]) > 0)) return null;
  const code = codeAt(place, line);
  const zero = String.raw`\.masked_fill\(([^,]+), ?0(?:\.0)?\)`;
  const method = new RegExp(
    String.raw`(?<![\w.])(?!torch\.|F\.)(\w+)\.softmax\(([^()]*)\)${zero}`,
  ).exec(code);
  const plain = new RegExp(String.raw`softmax\((\w+), ?([^()]*)\)${zero}`).exec(code);
  const match = method ?? plain;
  if (match === null) return null;
  const [whole, scores, axis, mask] = match;
  const hidden = `${scores}.masked_fill(${mask}, float("-inf"))`;
  const text = method ? `${hidden}.softmax(${axis})` : `softmax(${hidden}, ${axis})`;
  return fixOf("maskBefore", spliced(place, line, match.index, match.index + whole.length, text));
}

/** No mask at all, or one whose result was thrown away. */
export function readsFuture(place: Place): Fix | null {
  const { line } = place;
  const call = onlyCall(place, line, "scaled_dot_product_attention");
  if (call !== null) {
    const flag = argumentOf(call, "is_causal");
    if (flag !== null)
      return writtenIn(flag) === "False"
        ? fixOf("isCausal", spliced(place, line, flag.valueStart, flag.end, "True"))
        : null;
    const hasMask = call.args.filter(({ name }) => name === null).length > 3;
    if (hasMask || argumentOf(call, "attn_mask") !== null) return null;
    return fixOf("isCausal", spliced(place, line, call.close, call.close, ", is_causal=True"));
  }
  const lost = onlyMatch(place, /^(\s*)(\w+)\.masked_fill\(.*\)\s*$/);
  if (lost === null || lost.line >= line) return null;
  const [, indent = "", name = ""] = lost.match;
  const { length } = indent;
  return fixOf("keepMasked", spliced(place, lost.line, length, length, `${name} = `));
}

/** Heads are an axis of their own in front of the positions. */
export function transposeHeads(place: Place): Fix | null {
  const { finding, line } = place;
  const call = onlyCall(place, line, "view|reshape");
  if (call === null || codeAt(place, line).charAt(call.start - 1) !== ".") return null;
  const rank = String(finding.evidence["to"]).split(",").length;
  const [a, b, c, d] = call.args.map(writtenIn);
  if (call.args.length !== rank) return null;
  if (rank === 4) {
    const text = `view(${a}, ${c}, ${b}, ${d}).transpose(1, 2)`;
    const name = codeAt(place, line).slice(call.start, call.open - 1);
    return fixOf(
      "transposeHeads",
      spliced(place, line, call.start, call.close + 1, text.replace("view", name)),
    );
  }
  const text = `transpose(1, 2).reshape(${a}, ${b}, ${c})`;
  return fixOf("transposeHeads", spliced(place, line, call.start, call.close + 1, text));
}

/** Fixes of roots that are missing, and of factors that take a stream away. */
import { codeAt, type Fix, fixOf, type Place, spliced } from "./place.ts";

/** `x / (square + eps)` gets its root; `x * (…).sqrt()` gets one over it. */
export function divideByRoot(place: Place): Fix | null {
  const { finding, line } = place;
  const code = codeAt(place, line);
  const { power } = finding.evidence;
  if (power === 2) {
    const roots = [...code.matchAll(/(?<=\.)sqrt(?=\()/g)];
    const [root] = roots;
    if (!root || roots.length > 1 || !code.includes("*")) return null;
    return fixOf("divideByRoot", spliced(place, line, root.index, root.index + 4, "rsqrt"));
  }
  if (power !== -1 || code.split("/").length !== 2) return null;
  const divisor = /\/ ?\((?:[^()]|\([^()]*\))*\)(?![.\w([])/.exec(code);
  if (!divisor || code.includes("**")) return null;
  const end = divisor.index + divisor[0].length;
  return fixOf("divideByRoot", spliced(place, line, end, end, ".sqrt()"));
}

/** `0.5 * x + f(x)`: the stream is added as it is. */
export function keepStream(place: Place): Fix | null {
  const { finding, line } = place;
  const factor = Number(finding.evidence["factor"]);
  const code = codeAt(place, line);
  const sum = /(= |return )(-?[\d.]+) \* (\w+)(?= \+ )/.exec(code);
  if (!sum || Number(sum[2]) !== factor) return null;
  const [whole, head = "", , name = ""] = sum;
  return fixOf(
    "keepStream",
    spliced(place, line, sum.index, sum.index + whole.length, head + name),
  );
}

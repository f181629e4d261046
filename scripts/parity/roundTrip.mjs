/** Moves the norms of public files there and back: the numbers must be those of before. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const notTheirs = new Set(["driver.py", "normkit.py"]);

/**
 * Rewrites every file of the folder that has residual steps to the other placement and back.
 *
 * `run()` gives the report of the folder's driver; `rewrite(file, to)` edits the file and gives
 * null, or why it was refused. The rows say what was done; `problems` what is not as before.
 */
export function roundTrip(folder, { run, rewrite }) {
  const before = run();
  const rows = [];
  const problems = [];
  for (const file of filesOf(folder)) {
    const original = readFileSync(join(folder, file), "utf8");
    const refusal = rewrite(file, "post");
    const [there, back] = refusal?.includes("already") ? ["pre", "post"] : ["post", "pre"];
    const refused = there === "pre" ? rewrite(file, there) : refusal;
    if (refused?.includes("no line adds a branch") || refused?.includes("is empty")) continue;
    if (refused !== null) {
      rows.push(`${file}: refused: ${refused}`);
      continue;
    }
    const moved = readFileSync(join(folder, file), "utf8");
    const between = run();
    if (between.loss === before.loss) problems.push(`${file}: ${there} gives the same loss`);
    const refusedBack = rewrite(file, back);
    if (refusedBack !== null) {
      problems.push(`${file}: the way back is refused: ${refusedBack}`);
      continue;
    }
    problems.push(...differences(before, run()).map((problem) => `${file}: ${problem}`));
    const lines = changedLines(original, moved);
    rows.push(
      `${file}: ${back} to ${there} and back, ${lines} lines changed, loss ${between.loss}`,
    );
  }
  return { rows, problems };
}

function filesOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((file) => String(file).replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".py") && !notTheirs.has(file))
    .sort();
}

/** Of float32: a norm that comes back behind a slice sums its gradients in another order. */
const tolerance = 1e-6;

const isNear = (a, b) =>
  a === b || Math.abs(a - b) <= tolerance * Math.max(Math.abs(a), Math.abs(b));

function differences(before, after) {
  const problems = [];
  if (!isNear(after.loss, before.loss)) problems.push(`loss ${after.loss}, not ${before.loss}`);
  const own = new Map(after.parameters.map((parameter) => [parameter.name, parameter]));
  for (const { name, gradient } of before.parameters) {
    const [now, then] = [own.get(name)?.gradient?.rms, gradient?.rms];
    if (!isNear(now, then)) problems.push(`gradient of ${name} ${now}, not ${then}`);
  }
  return problems;
}

/** Lines of either that the other has not, whichever are more. */
function changedLines(a, b) {
  const missing = (from, to) => {
    const left = new Map();
    for (const line of to.split("\n")) left.set(line, (left.get(line) ?? 0) + 1);
    return from.split("\n").filter((line) => {
      const count = left.get(line) ?? 0;
      left.set(line, count - 1);
      return count <= 0;
    }).length;
  };
  return Math.max(missing(a, b), missing(b, a));
}

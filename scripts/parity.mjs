/**
 * Runs public model files in Normscope and compares the numbers with real PyTorch's.
 *
 *     npm run parity -- --mirror DIR [--only id,id] [--manifest FILE] [--reference DIR] [--all]
 *     npm run parity -- --mirror DIR --rewrite [--only id,id]
 *
 * DIR holds git snapshots as owner+name/repo. The manifest (which files, at which commits, with
 * which drivers) and the reference numbers are no part of this repository: by default they lie in
 * ../shared/parity beside it. --all prints every difference and not only the first few.
 * --rewrite moves the norms of each file's blocks there and back by `normscope rewrite`: the numbers
 * must be those of before (within 1e-6).
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { compareWithReference } from "./parity/compare.mjs";
import { extract } from "./parity/extract.mjs";
import { roundTrip } from "./parity/roundTrip.mjs";

const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const suite = join(repository, "..", "shared", "parity");
const shownProblems = 5;
const limitMs = 300_000;

const { values: options } = parseArgs({
  options: {
    mirror: { type: "string" },
    manifest: { type: "string", default: join(suite, "manifest.json") },
    reference: { type: "string" },
    only: { type: "string" },
    all: { type: "boolean", default: false },
    rewrite: { type: "boolean", default: false },
  },
});

if (options.mirror === undefined) {
  console.error("--mirror DIR is needed: the folder with the git snapshots");
  process.exit(2);
}

const folder = dirname(resolve(options.manifest));
const reference = options.reference ?? join(folder, "reference");
const only = options.only?.split(",");
const { entries } = JSON.parse(readFileSync(options.manifest, "utf8"));
const chosen = entries.filter(({ id }) => only === undefined || only.includes(id));
if (chosen.length === 0) {
  console.error(`The manifest has no entry of ${options.only}`);
  process.exit(2);
}
const held = chosen.filter(options.rewrite ? comesBack : holds);
console.log(`${held.length} of ${chosen.length} ${options.rewrite ? "come back" : "agree"}`);
process.exitCode = held.length === chosen.length ? 0 : 1;

/** Prints the entry's row and what is off; whether nothing is. */
function holds(entry) {
  return inFolder(entry, (folder) => {
    const report = run(folder);
    const theirs = JSON.parse(readFileSync(join(reference, `${entry.id}.json`), "utf8"));
    const { counts, problems, worst } = compareWithReference(report, theirs);
    const cells = Object.entries(counts).map(([name, { compared, off }]) =>
      off === 0 ? `${name} ${compared}` : `${name} ${compared} (${off} off)`,
    );
    const share = `worst ${(100 * worst.share).toFixed(1)} % of the tolerance (${worst.where})`;
    return { rows: [[...cells, share].join("  ")], problems };
  });
}

/** Prints what became of the entry's files; whether all that were rewritten came back. */
function comesBack(entry) {
  return inFolder(entry, (folder) =>
    roundTrip(folder, {
      run: () => run(folder),
      rewrite(file, to) {
        const { status, stderr } = normscope(folder, ["rewrite", file, "--to", to, "--write"]);
        return status === 0 ? null : stderr.trim().split("\n")[0];
      },
    }),
  );
}

function inFolder(entry, work) {
  const into = realpathSync(mkdtempSync(join(tmpdir(), "normscope-parity-")));
  const label = entry.id.padEnd(24);
  try {
    extract(entry, { mirror: options.mirror, kit: join(folder, "normkit.py"), into });
    const { rows, problems } = work(into);
    const [first = "", ...others] = rows;
    console.log([problems.length === 0 ? "ok  " : "FAIL", label, first].join("  "));
    for (const row of others) console.log(`      ${" ".repeat(label.length)}  ${row}`);
    const shown = options.all ? problems : problems.slice(0, shownProblems);
    for (const problem of shown) console.log(`        ${problem}`);
    if (problems.length > shown.length) {
      console.log(`        and ${problems.length - shown.length} more`);
    }
    return problems.length === 0;
  } catch (error) {
    console.log(`FAIL  ${label}  ${error.message.trim().replaceAll("\n", "\n        ")}`);
    return false;
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

function run(folder) {
  const args = ["run", "driver.py", "--device", "cpu", "--json", "-"];
  const { status, stdout, stderr } = normscope(folder, args);
  if (status !== 0) throw new Error(stderr || `exit code ${status}`);
  return JSON.parse(stdout);
}

function normscope(folder, args) {
  const command = join(repository, "bin", "normscope.mjs");
  const done = spawnSync(process.execPath, [command, ...args], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    timeout: limitMs,
  });
  if (done.error) throw done.error;
  return done;
}

/**
 * Compares random programs of torch calls with real PyTorch: values, types, gradients, errors.
 *
 *     npm run fuzz:torch -- --python PYTHON [--seed N] [--count N] [--only NAME] [--type NAME]
 *         [--special] [--edited] [--unsteady] [--keep FILE] [--batch N]
 *
 * PYTHON has PyTorch 2.15 and expecttest (for the arguments that PyTorch's own tests use). --count
 * is a number of operations; --only takes calls of one name or a family of scripts/fuzz/families
 * (attentions, derivatives, factories, forms, indexing, keywords, modules, networks, operators, texts), --type leaves of one type (complex64);
 * --special gives leaves of infinities, NaN, negative zeros, denormals and large integers; --edited
 * makes programs of one call and an edit of what it took or gave; --unsteady prints what hangs on the last digits
 * too; --keep adds what differs to a file
 * (test/programs/found.json, whose programs are tests once scripts/record-programs.py has run). What differs is made small and printed.
 */
import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const { values: options } = parseArgs({
  options: {
    python: { type: "string", default: "python3" },
    seed: { type: "string", default: "0" },
    count: { type: "string", default: "2000" },
    only: { type: "string" },
    type: { type: "string" },
    special: { type: "boolean", default: false },
    keep: { type: "string" },
    edited: { type: "boolean", default: false },
    batch: { type: "string", default: "120" },
    unsteady: { type: "boolean", default: false },
  },
});

mkdirSync(join(root, "dist"), { recursive: true });
const outfile = join(root, "dist", `fuzz-${process.pid}.mjs`);
await build({
  entryPoints: [join(root, "scripts/fuzz/main.ts")],
  outfile,
  bundle: true,
  format: "esm",
  platform: "node",
  packages: "external",
});
const { fuzz } = await import(pathToFileURL(outfile).href);
rmSync(outfile);
const agrees = await fuzz({
  root,
  python: options.python,
  seed: Number(options.seed),
  count: Number(options.count),
  only: options.only ?? null,
  special: options.special,
  edited: options.edited,
  unsteady: options.unsteady,
  keep: options.keep ?? null,
  batch: Number(options.batch),
  type: options.type ?? null,
});
process.exit(agrees ? 0 : 1);

/** Every file of models/ gives the numbers that it gives in real PyTorch. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { type Engine, startEngine } from "../../src/client/engineClient.ts";
import type { InputSpec } from "../../src/protocol/engine.ts";
import type { Num, RunReport } from "../../src/protocol/report.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));
const models = join(repository, "models");
const goldens = join(repository, "test/golden/models");
const enginePath = join(repository, "dist/engine.mjs");

/** What scripts/record-models.py wrote. */
interface Golden {
  readonly file: string;
  readonly entry: string;
  readonly set: Readonly<Record<string, string>>;
  readonly inputs: readonly InputSpec[];
  readonly lossExpression: string;
  readonly loss: number;
  /** RMS of the output, by the path of the block. */
  readonly blocks: Readonly<Record<string, number>>;
  /** Norm, by the name of the parameter; null where the loss does not depend on it. */
  readonly gradients: Readonly<Record<string, number | null>>;
}

let engine: Engine | null = null;
afterAll(() => engine?.dispose());

const names = readdirSync(goldens).map((file) => file.replace(/\.json$/, ""));

test("every file of models/ is compared", () => {
  const compared = new Set(names.map((name) => readGolden(name).file));
  const own = ["post_ln.py", "pre_ln.py"];
  const files = readdirSync(models).filter((file) => file.endsWith(".py") && !own.includes(file));
  expect(files.filter((file) => !compared.has(file))).toEqual([]);
});

test.each(names)("%s", async (name) => {
  const golden = readGolden(name);
  expect(differences(await run(golden), golden)).toEqual([]);
});

const readGolden = (name: string): Golden =>
  JSON.parse(readFileSync(join(goldens, `${name}.json`), "utf8"));

function run({ file, entry, set, inputs, lossExpression }: Golden): Promise<RunReport> {
  engine ??= startEngine({ enginePath });
  return engine.run({
    root: models,
    file,
    entry,
    set,
    inputs,
    loss: lossExpression,
    seed: 0,
    mode: null,
    packages: null,
    device: "cpu",
  });
}

function differences(report: RunReport, golden: Golden): string[] {
  const rms = Object.fromEntries(
    report.modules.map(({ path, calls }) => [path, calls[0]?.activation[0]?.rms]),
  );
  const gradients = Object.fromEntries(
    report.parameters.map(({ name, gradient }) => [name, gradient?.l2]),
  );
  return [
    ...compared("loss", { loss: report.loss }, { loss: golden.loss }),
    ...compared("RMS", rms, golden.blocks),
    ...compared("gradient", gradients, golden.gradients),
  ];
}

/** |ours − theirs| ≤ 1e-4·|theirs| + 2e-6·(the largest of the kind). */
function compared(
  kind: string,
  ours: Readonly<Record<string, Num | undefined>>,
  theirs: Readonly<Record<string, number | null>>,
): string[] {
  const largest = Math.max(...Object.values(theirs).map((x) => Math.abs(x ?? 0)));
  return Object.entries(theirs).flatMap(([name, wanted]) => {
    const found = ours[name];
    const isSame =
      wanted === null || typeof found !== "number"
        ? found === undefined && wanted === null
        : Math.abs(found - wanted) <= 1e-4 * Math.abs(wanted) + 2e-6 * largest;
    return isSame ? [] : [`${kind} of ${name}: ${found}, PyTorch has ${wanted}`];
  });
}

/** Devices on the built command line, with the real engine: what is chosen, refused and compared. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";

const repository = fileURLToPath(new URL("../../", import.meta.url));
/** No provider is installed there. */
const cache = mkdtempSync(join(tmpdir(), "normscope-devices-"));
afterAll(() => rmSync(cache, { recursive: true }));

function normscope(...args: string[]) {
  const env = { ...process.env, XDG_CACHE_HOME: cache, NO_COLOR: "1" };
  const options = { cwd: repository, env, encoding: "utf8", timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["dist/cli.mjs", ...args],
    options,
  );
  return { status, stdout, stderr };
}

const model = "models/pre_ln.py:PreLNTransformer";
const tiny = ["--set", "n_layers=1", "--set", "d_model=32", "--set", "n_heads=2"];

test("auto says why it is not CUDA, and cuda fails for the same reason", {
  timeout: 120_000,
}, () => {
  const auto = normscope("run", model, ...tiny, "--json", "-");
  const { device, memory } = JSON.parse(auto.stdout);
  expect(device).toMatchObject({ requested: "auto", provider: "cpu" });
  expect(memory.neededBytes).toBeGreaterThan(memory.weightsBytes);
  const { reason } = device.passedOver[0];
  const cuda = normscope("run", model, ...tiny, "--device", "cuda");
  expect(cuda.status).toBe(1);
  expect(cuda.stderr).toContain(`The device 'cuda' cannot run here: ${reason}`);
});

test("two devices are compared value by value", { timeout: 120_000 }, () => {
  const { status, stdout } = normscope(
    "compare",
    model,
    ...tiny,
    "--device",
    "cpu,cpu",
    "--json",
    "-",
  );
  expect(status).toBe(0);
  const { agreement } = JSON.parse(stdout);
  expect(agreement.worst).toBe(0);
  expect(agreement.rows.length).toBeGreaterThan(50);
  const wrong = normscope("compare", model, "--device", "cpu,gpu");
  expect(wrong).toMatchObject({ status: 2 });
  expect(normscope("compare", model, model, "--device", "cpu,cpu").status).toBe(2);
});

test("what will not fit is refused with what would, before it is started", {
  timeout: 120_000,
}, () => {
  const input = ["--input", "idx=int64[200000,32]<256", "--set", "d_model=1024"];
  const { status, stderr } = normscope("run", model, ...input);
  expect(status).toBe(1);
  expect(stderr).toMatch(/The run needs some .* has .* free\n {2}What would fit: a batch of \d+/);
});

test("a set-up that nobody agreed to changes nothing", { timeout: 120_000 }, () => {
  const { status, stderr } = normscope("doctor", "--install", "cuda");
  expect(status).not.toBe(0);
  expect(stderr).toMatch(/^error: (?:CUDA|Nobody)/);
});

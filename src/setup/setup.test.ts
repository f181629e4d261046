import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cudaHome, runtimePackage } from "../runtime/cuda/home.ts";
import { cudaLibraries, driverFile, hasCuda } from "../runtime/cuda/libraries.ts";
import { onSystemPath } from "../runtime/cuda/search.ts";
import { fileWith, zipWith } from "../weights/fixtureInTest.ts";
import { installCuda } from "./installCuda.ts";
import { planCuda, type SetupOptions } from "./planCuda.ts";

const packageFile = fileURLToPath(import.meta.url);
const version = runtimePackage(packageFile)?.version ?? "";
/** Where a real driver is, the set-up would reach it. */
const isBare = hasCuda() && !onSystemPath(driverFile);

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "normscope-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(name: string, text = ""): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

/** Files with the right names, and nothing in them that could run. */
function madeUp(provider: string, libraries = cudaLibraries[13].map(({ file }) => file)) {
  write("from/libonnxruntime_providers_shared.so");
  write("from/libonnxruntime_providers_cuda.so", provider);
  for (const file of libraries) write(`lib/${file}`);
  const env = { HOME: folder, LD_LIBRARY_PATH: join(folder, "lib") };
  const options: SetupOptions = {
    env,
    packageFile,
    workspaces: [],
    from: join(folder, "from"),
    force: true,
  };
  return { options, target: cudaHome(env, version) };
}

const right = `\0${version}\0libcublasLt.so.13\0`;
const quiet = () => undefined;

test.runIf(!hasCuda())("says where CUDA is not to be had", async () => {
  await expect(planCuda(madeUp(right).options)).rejects.toThrow("Linux x64 only");
});

test.runIf(isBare)("refuses without a driver, and without a library", async () => {
  const { options } = madeUp(right, ["libcudnn.so.9"]);
  await expect(planCuda({ ...options, force: false })).rejects.toThrow("no NVIDIA driver");
  await expect(planCuda(options)).rejects.toThrow("lacks libcublasLt.so.13, libcublas.so.13");
});

test.runIf(isBare)(
  "keeps what waits for its driver only, and says from where it came",
  async () => {
    const { options, target } = madeUp(right);
    const done = await installCuda(await planCuda(options), options, quiet);
    expect(done.pending).toContain("libcuda.so.1");
    expect(done.record).toMatchObject({ cuda: 13, onnxruntime: version, source: options.from });
    expect(readdirSync(target).sort()).toContain("install.json");
    expect(readdirSync(dirname(target))).toEqual([version]);
  },
);

test.runIf(isBare)("takes the libraries out of a wheel", async () => {
  const { options, target } = madeUp(right);
  const wheel = fileWith(
    zipWith(
      ["shared", "cuda"].map((name) => ({
        name: `onnxruntime/capi/libonnxruntime_providers_${name}.so`,
        data: Buffer.from(right),
      })),
    ),
    "onnxruntime_gpu.whl",
  );
  const named = { ...options, from: wheel };
  const plan = await planCuda(named);
  expect(plan.source).toMatchObject({ kind: "wheel", sha256: expect.stringMatching(/^\w{64}$/) });
  await installCuda(plan, named, quiet);
  expect(existsSync(join(target, "libonnxruntime_providers_cuda.so"))).toBe(true);
});

test.runIf(isBare).each([
  ["another version", "\x001.2.3\x00libcublasLt.so.13\x00", "needs its own provider"],
  ["another CUDA", `\0${version}\0libcublasLt.so.12\0`, "not built for CUDA 13"],
])("refuses the provider of %s", async (_, provider, reason) => {
  const { options, target } = madeUp(provider);
  const plan = await planCuda(options);
  await expect(installCuda(plan, options, quiet)).rejects.toThrow(reason);
  expect(readdirSync(dirname(target))).toEqual([]);
});

test.runIf(isBare)("undoes itself where the provider does not run", async () => {
  const { options, target } = madeUp(right);
  await installCuda(await planCuda(options), options, quiet);
  writeFileSync(join(target, "libonnxruntime_providers_cuda.so"), "before");
  // With a driver, the provider is tried; these files are none.
  write(`lib/${driverFile}`);
  const plan = await planCuda(options);
  await expect(installCuda(plan, options, quiet)).rejects.toThrow("CUDA was not set up");
  expect(readdirSync(dirname(target))).toEqual([version]);
  expect(readFileSync(join(target, "libonnxruntime_providers_cuda.so"), "utf8")).toBe("before");
});

test.runIf(isBare)("what is named must be a wheel or a folder with the libraries", async () => {
  const { options } = madeUp(right);
  const named = { ...options, from: join(folder, "lib") };
  await expect(planCuda(named)).rejects.toThrow("is not a wheel of onnxruntime-gpu, or a folder");
});

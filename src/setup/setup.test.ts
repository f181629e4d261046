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
import { type CudaPlan, planCuda, type SetupOptions } from "./planCuda.ts";
import { remoteSource } from "./source.ts";

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

const twelve = cudaLibraries[12].map(({ file }) => file);
const rightFor12 = `\0${version}\0libcublasLt.so.12\0`;

/** Stands for onnxruntime-node's, which fetches what this writes. */
function withScript(plan: CudaPlan, text: string): CudaPlan {
  const path = write("package/script/install.js", text);
  return { ...plan, source: { kind: "script", path } };
}

test.runIf(isBare)("for CUDA 12 the script of onnxruntime-node gets the provider", async () => {
  const { options, target } = madeUp(rightFor12, twelve);
  const asked = { ...options, from: null };
  const plan = await planCuda(asked);
  expect(plan).toMatchObject({ cuda: 12, source: { kind: "script" } });
  const script = `
    const { join } = require("node:path");
    const fs = require("node:fs");
    const folder = join(__dirname, "../bin/napi-v6/linux/x64");
    fs.mkdirSync(folder, { recursive: true });
    if (process.env.ONNXRUNTIME_NODE_INSTALL !== "cuda12") process.exit(1);
    for (const name of ["shared", "cuda"])
      fs.writeFileSync(join(folder, \`libonnxruntime_providers_\${name}.so\`), ${JSON.stringify(rightFor12)});
  `;
  const done = await installCuda(withScript(plan, script), asked, quiet);
  expect(done.record).toMatchObject({ cuda: 12, onnxruntime: version });
  expect(done.record.source).toContain("install script");
  expect(existsSync(join(folder, "package/bin"))).toBe(false);
  expect(existsSync(join(target, "libonnxruntime_providers_cuda.so"))).toBe(true);
});

test.runIf(isBare)(
  "a script that fails leaves nothing, and what it threw is the reason",
  async () => {
    const { options, target } = madeUp(rightFor12, twelve);
    const plan = await planCuda({ ...options, from: null });
    const failing = withScript(plan, 'throw new Error("no such host")');
    await expect(installCuda(failing, options, quiet)).rejects.toThrow(
      "the install script failed: Error: no such host",
    );
    expect(readdirSync(dirname(target))).toEqual([]);
  },
);

test.runIf(isBare)("a package without the script says where CUDA 12 comes from", async () => {
  const runtime = { folder: join(folder, "package/bin/napi-v6/linux/x64"), version };
  const asked = remoteSource(12, runtime, { env: {}, workspaces: [] });
  await expect(asked).rejects.toMatchObject({
    message: expect.stringContaining("comes with onnxruntime-node's install script"),
    hint: expect.stringContaining("--from FILE"),
  });
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

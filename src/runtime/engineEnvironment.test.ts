import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { cudaHome, recordFile, runtimePackage } from "./cuda/home.ts";
import { hasCuda, providerFiles, runtimeFile } from "./cuda/libraries.ts";
import { engineEnvironment } from "./engineEnvironment.ts";

const here = fileURLToPath(import.meta.url);
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "normscope-"));
});

afterEach(() => rmSync(folder, { recursive: true }));

function write(...parts: readonly string[]): string {
  const path = join(folder, ...parts);
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, "");
  return path;
}

test("switches TF32 off, and leaves the libraries alone where CUDA is not set up", () => {
  const given = { HOME: folder, VIRTUAL_ENV: join(folder, "venv") };
  write("venv/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
  expect(engineEnvironment(given, here)).toEqual({ NVIDIA_TF32_OVERRIDE: "0" });
});

test.runIf(hasCuda())(
  "loads the kept ONNX Runtime, and libraries from where people have them",
  () => {
    const home = cudaHome({ HOME: folder }, runtimePackage(here)?.version ?? "");
    mkdirSync(home, { recursive: true });
    for (const file of [...providerFiles, runtimeFile]) writeFileSync(join(home, file), "");
    writeFileSync(
      join(home, recordFile),
      JSON.stringify({ cuda: 13, libraryFolders: [join(folder, "found")] }),
    );
    write("given/libcudart.so.13");
    write("found/libcurand.so.10");
    write("work/.venv/lib/python3.12/site-packages/nvidia/cu13/lib/libcublas.so.13");
    write("work/.venv/lib/python3.12/site-packages/nvidia/nccl/lib/libnccl.so.2");
    write("active/lib/python3.12/site-packages/nvidia/cudnn/lib/libcudnn.so.9");
    write("old/lib/python3.12/site-packages/nvidia/cublas/lib/libcublas.so.12");
    const given = {
      HOME: folder,
      LD_LIBRARY_PATH: join(folder, "given"),
      VIRTUAL_ENV: join(folder, "active"),
      CONDA_PREFIX: join(folder, "old"),
    };
    const added = engineEnvironment(given, here, [join(folder, "work")])["LD_LIBRARY_PATH"] ?? "";
    const ours = added.split(":").filter((path) => path.startsWith(folder));
    expect(ours.map((path) => path.slice(folder.length + 1))).toEqual([
      home.slice(folder.length + 1),
      "given",
      "work/.venv/lib/python3.12/site-packages/nvidia/cu13/lib",
      "found",
      "active/lib/python3.12/site-packages/nvidia/cudnn/lib",
    ]);
  },
);

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { engineEnvironment } from "./engineEnvironment.ts";

test("switches TF32 off", () => {
  expect(engineEnvironment({})).toEqual({ NVIDIA_TF32_OVERRIDE: "0" });
});

test.runIf(process.platform === "linux")("finds the CUDA libraries of an active Python", () => {
  const prefix = mkdtempSync(join(tmpdir(), "normscope-"));
  try {
    const folder = join(prefix, "lib/python3.12/site-packages/nvidia/cudnn/lib");
    mkdirSync(folder, { recursive: true });
    expect(
      engineEnvironment({ VIRTUAL_ENV: prefix, LD_LIBRARY_PATH: "/usr/local/cuda/lib64" }),
    ).toEqual({
      NVIDIA_TF32_OVERRIDE: "0",
      LD_LIBRARY_PATH: `/usr/local/cuda/lib64:${folder}`,
    });
  } finally {
    rmSync(prefix, { recursive: true });
  }
});

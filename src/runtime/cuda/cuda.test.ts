import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { driverRemedy, familyOf, webgpuRemedy } from "../remedies.ts";
import { hasNvidiaGpu, majorsOf, readGpus } from "./driver.ts";
import { cudaLibraries } from "./libraries.ts";
import { librariesCommand } from "./problem.ts";
import { findLibraries } from "./search.ts";

function inFolder(use: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), "normscope-"));
  try {
    use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("finds libraries where they are, and names those that are nowhere", () => {
  inFolder((folder) => {
    const cudnn = join(folder, ".venv/lib/python3.12/site-packages/nvidia/cudnn/lib");
    mkdirSync(cudnn, { recursive: true });
    writeFileSync(join(cudnn, "libcudnn.so.9"), "");
    const places = { env: {}, workspaces: [folder], recorded: [] };
    const onSystem = (file: string) => file.startsWith("libcublas");
    const { found, missing } = findLibraries(cudaLibraries[13], places, onSystem);
    expect(found).toContainEqual({ file: "libcudnn.so.9", folder: cudnn });
    expect(found).toContainEqual({ file: "libcublas.so.13", folder: null });
    const names = missing.map(({ file }) => file);
    expect(names).toContain("libcurand.so.10");
    expect(names).not.toContain("libcudnn.so.9");
  });
});

test("one command brings every library that is missing", () => {
  expect(librariesCommand(cudaLibraries[13].slice(0, 3), "/cache")).toBe(
    "python3 -m pip install --no-deps --target /cache/python nvidia-cublas~=13.0 nvidia-curand~=10.0",
  );
});

test("reads what the driver says of its GPUs", () => {
  const { version, gpus } = readGpus("580.65.06, 81559, 80994, NVIDIA H100 80GB HBM3\n");
  expect(version).toBe("580.65.06");
  expect(gpus).toEqual([
    { name: "NVIDIA H100 80GB HBM3", totalBytes: 81559 * 2 ** 20, freeBytes: 80994 * 2 ** 20 },
  ]);
  const majors = (text: string | null) => majorsOf({ isThere: true, version: text, gpus: [] });
  expect(majors(version)).toEqual([13, 12]);
  expect(majors("550.54")).toEqual([12]);
  expect(majors("470.1")).toEqual([]);
  expect(majors(null)).toEqual([13, 12]);
});

test("looks for a GPU on the bus", () => {
  inFolder((folder) => {
    expect(hasNvidiaGpu(join(folder, "none"))).toBeNull();
    const device = join(folder, "0000:01:00.0");
    mkdirSync(device);
    writeFileSync(join(device, "vendor"), "0x10de\n");
    writeFileSync(join(device, "class"), "0x040300\n");
    expect(hasNvidiaGpu(folder)).toBe(false);
    writeFileSync(join(device, "class"), "0x030200\n");
    expect(hasNvidiaGpu(folder)).toBe(true);
  });
});

test("the command that mends it is the system's own", () => {
  expect(familyOf('NAME="Linux Mint"\nID=linuxmint\nID_LIKE="ubuntu debian"\n')).toBe("ubuntu");
  expect(familyOf('ID="rocky"\nID_LIKE="rhel centos fedora"\n')).toBe("fedora");
  expect(familyOf("ID=nixos\n")).toBe("other");
  expect(driverRemedy("debian", false)).toBe("sudo apt-get install nvidia-driver");
  expect(driverRemedy("debian", true)).toContain("--gpus all");
});

test.runIf(process.platform === "linux")("WebGPU lacks the loader, or a driver", () => {
  expect(webgpuRemedy("libvulkan.so.1 is missing", "debian")).toBe(
    "sudo apt-get install libvulkan1",
  );
  expect(webgpuRemedy("Failed to get a WebGPU adapter: No supported adapters", "fedora")).toBe(
    "sudo dnf install mesa-vulkan-drivers",
  );
  expect(webgpuRemedy("it did not answer within 60 s", "fedora")).toBeNull();
});

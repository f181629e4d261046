import { expect, test } from "vitest";
import { probe, reasonIn } from "./probe.ts";
import { chooseProvider } from "./providers.ts";

const problem = { reason: "libcudnn.so.9 is missing", remedy: "pip install nvidia-cudnn-cu13" };
const broken = async () => problem;
const working = async () => null;

test("takes CUDA where it works", async () => {
  expect(await chooseProvider("auto", working)).toEqual({ provider: "cuda", passedOver: [] });
});

test("says why CUDA was passed over", async () => {
  const choice = await chooseProvider("auto", async (provider) =>
    provider === "cuda" ? broken() : null,
  );
  expect(choice).toEqual({
    provider: "cpu",
    passedOver: [{ provider: "cuda", ...problem }],
  });
});

test("refuses a named device that cannot run", async () => {
  await expect(chooseProvider("cuda", broken)).rejects.toThrowErrorMatchingInlineSnapshot(
    `[NormscopeError: The device 'cuda' cannot run here: libcudnn.so.9 is missing]`,
  );
});

test("runs on the CPU everywhere", async () => {
  expect(await chooseProvider("cpu")).toEqual({ provider: "cpu", passedOver: [] });
});

test("finds out in a child process that a provider does not exist here", async () => {
  const absent = process.platform === "darwin" ? "dml" : "coreml";
  expect(await probe(absent)).toEqual({
    reason: `ONNX Runtime has no '${absent}' provider for ${process.platform} ${process.arch}`,
    remedy: null,
  });
});

test("names the missing library from what native code wrote", () => {
  const native =
    "[E:onnxruntime:, provider_bridge_ort.cc:2146 Create] Failed to load library " +
    "/app/libonnxruntime_providers_cuda.so with error: libcublasLt.so.13: cannot open shared " +
    "object file: No such file or directory\n\nFailed to load shared library";
  expect(reasonIn(native, "cuda")).toBe("libcublasLt.so.13 is missing");
  const noDriver = native.replace("libcublasLt.so.13", "libcuda.so.1");
  expect(reasonIn(noDriver, "cuda")).toBe("there is no NVIDIA driver (libcuda.so.1 is missing)");
});

test("passes on the last line of other failures", () => {
  const native =
    "Warning: Couldn't load Vulkan\n\n/src/webgpu_context.cc:136 Initialize() " +
    "adapter_result.status == Success was false. Failed to get a WebGPU adapter: No supported adapters\n";
  expect(reasonIn(native, "webgpu")).toBe("Failed to get a WebGPU adapter: No supported adapters");
  expect(reasonIn("", "cuda", "SIGSEGV")).toBe("it ended the process that tried it (SIGSEGV)");
});

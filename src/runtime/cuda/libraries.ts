/** What ONNX Runtime's CUDA provider loads, for each version of CUDA that it is built for. */

export type CudaMajor = 12 | 13;
export const cudaMajors: readonly CudaMajor[] = [13, 12];

export interface CudaLibrary {
  /** As the loader asks for it. */
  readonly file: string;
  /** The Python package that brings it, as pip takes it. */
  readonly package: string;
}

/** The two libraries that are not in onnxruntime-node's package. */
export const providerFiles = [
  "libonnxruntime_providers_shared.so",
  "libonnxruntime_providers_cuda.so",
] as const;

/** What finds the provider, by lying beside it. */
export const runtimeFile = "libonnxruntime.so.1";

export const driverFile = "libcuda.so.1";

/** In the order in which the loader asks for them. cuDNN, cuFFT and NVRTC are asked for in a run. */
export const cudaLibraries: Readonly<Record<CudaMajor, readonly CudaLibrary[]>> = {
  12: [
    { file: "libcublasLt.so.12", package: "nvidia-cublas-cu12~=12.0" },
    { file: "libcublas.so.12", package: "nvidia-cublas-cu12~=12.0" },
    { file: "libcurand.so.10", package: "nvidia-curand-cu12~=10.0" },
    { file: "libcudart.so.12", package: "nvidia-cuda-runtime-cu12~=12.0" },
    { file: "libcudnn.so.9", package: "nvidia-cudnn-cu12~=9.0" },
    { file: "libcufft.so.11", package: "nvidia-cufft-cu12~=11.0" },
    { file: "libnvrtc.so.12", package: "nvidia-cuda-nvrtc-cu12~=12.0" },
  ],
  13: [
    { file: "libcublasLt.so.13", package: "nvidia-cublas~=13.0" },
    { file: "libcublas.so.13", package: "nvidia-cublas~=13.0" },
    { file: "libcurand.so.10", package: "nvidia-curand~=10.0" },
    { file: "libcudart.so.13", package: "nvidia-cuda-runtime~=13.0" },
    { file: "libcudnn.so.9", package: "nvidia-cudnn-cu13~=9.0" },
    { file: "libcufft.so.12", package: "nvidia-cufft~=12.0" },
    { file: "libnvrtc.so.13", package: "nvidia-cuda-nvrtc~=13.0" },
  ],
};

/** The oldest driver for Linux that runs programs of a version of CUDA. */
export const oldestDriver: Readonly<Record<CudaMajor, number>> = { 12: 525, 13: 580 };

export const hasCuda = (): boolean => process.platform === "linux" && process.arch === "x64";

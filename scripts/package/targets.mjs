/** The systems that have a package of their own, and which native files each of them holds. */

const libraries = "node_modules/onnxruntime-node/bin/napi-v6";

const windows = [
  "DirectML.dll",
  "dxcompiler.dll",
  "dxil.dll",
  "onnxruntime.dll",
  "onnxruntime_binding.node",
];

/** By VS Code's name of the system. `budget` is in millions of bytes of the packed file. */
export const targets = {
  "linux-x64": {
    folder: "linux/x64",
    files: ["libonnxruntime.so.1", "onnxruntime_binding.node"],
    budget: 36,
  },
  "linux-arm64": {
    folder: "linux/arm64",
    files: ["libonnxruntime.so.1", "onnxruntime_binding.node"],
    budget: 36,
  },
  "darwin-arm64": {
    folder: "darwin/arm64",
    files: ["libonnxruntime.1.dylib", "onnxruntime_binding.node"],
    budget: 36,
  },
  "win32-x64": { folder: "win32/x64", files: windows, budget: 52 },
  "win32-arm64": { folder: "win32/arm64", files: windows, budget: 52 },
  /** Without native code, for all other systems: it says what is missing. */
  universal: { folder: null, files: [], budget: 20 },
};

/** Paths of a target's native files below the repository. */
export const nativeFiles = ({ folder, files }) =>
  files.map((file) => `${libraries}/${folder}/${file}`);

/** The target of the machine that this runs on. */
export const ownTarget = () => `${process.platform}-${process.arch}`;

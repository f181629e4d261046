#!/usr/bin/env bash
# WebGPU, in software where there is no GPU: tiny models agree with the CPU, forward, backward and
# statistics. Needs a Vulkan driver; SwiftShader's, which comes with Chromium, is one in software.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/devices/common.sh

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

swiftshader=/usr/lib/chromium
if [ -z "${VK_ICD_FILENAMES:-}" ] && [ -f "$swiftshader/vk_swiftshader_icd.json" ]; then
  export VK_ICD_FILENAMES="$swiftshader/vk_swiftshader_icd.json"
  # Its folder has Vulkan's loader too, which a machine without a screen may lack.
  export LD_LIBRARY_PATH="${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$swiftshader"
fi

built
normscope doctor --json - >"$work/doctor.json"
if ! holds 'it.providers.find(({ name }) => name === "webgpu").works' "$work/doctor.json"; then
  why=$(value 'it.providers.find(({ name }) => name === "webgpu").reason' "$work/doctor.json")
  echo "NOT RUN: WebGPU against the CPU (test/devices/webgpu.sh): $why."
  exit 0
fi

for model in models/pre_ln.py:PreLNTransformer models/post_ln.py:PostLNTransformer; do
  agree webgpu,cpu "$model" --set n_layers=2 --set d_model=32 --set n_heads=2
done
check "what the CPU ran in its place has lines" holds \
  'it.a.device.elsewhere.every(({ file, line, op }) => file !== "" && line > 0 && op !== "")' \
  "$work/agreement.json"
finish

#!/usr/bin/env bash
# CUDA on a machine with a GPU, in less than ten minutes: the set-up, the bundled models against the
# CPU, and GPT-2 small against PyTorch on the same GPU.
#
#     test/devices/cuda.sh [WHEEL]
#
# WHEEL is an onnxruntime-gpu that is there already. PYTHON names a Python with PyTorch for CUDA
# (default: python3); without one, that part is not run. The set-up goes into a folder of its own.
# DEVICE=cpu tries the script itself on a machine without a GPU.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/devices/common.sh

device=${DEVICE:-cuda}
python=${PYTHON:-python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
built

if [ "$device" = cuda ]; then
  prefix=$("$python" -c 'import sys; print(sys.prefix)' 2>/dev/null || true)
  export VIRTUAL_ENV="${VIRTUAL_ENV:-$prefix}"
  if ! normscope doctor --install cuda --dry-run >"$work/out" 2>&1; then
    remedy=$(sed -n 's/^ *To mend it: \(python3 -m pip.*\)/\1/p' "$work/out")
    [ -z "$remedy" ] || $remedy --quiet
  fi
  check "CUDA is set up" normscope doctor --install cuda --yes ${1:+--from "$1"}
  normscope doctor --json - >"$work/doctor.json"
  check "the doctor says that it works" \
    holds 'it.providers.find(({ name }) => name === "cuda").works' "$work/doctor.json"
fi

# Tiny ones, and the two decoders as they come.
tiny=(--set n_layers=2 --set d_model=32 --set n_heads=2)
for model in models/pre_ln.py:PreLNTransformer models/post_ln.py:PostLNTransformer; do
  agree "$device,cpu" "$model" "${tiny[@]}"
  agree "$device,cpu" "$model"
done

normscope run models/pre_ln.py:PreLNTransformer --device auto --json "$work/auto.json" >"$work/out"
check "auto takes $device" holds "it.device.provider === '$device'" "$work/auto.json"

if "$python" -c 'import torch' 2>/dev/null; then
  normscope run models/gpt2.py:GPT2 --preset "${PRESET:-gpt2}" --device "$device" \
    --json "$work/gpt2.json" >"$work/out"
  check "GPT-2 agrees with PyTorch on the same device" \
    "$python" test/devices/against_torch.py "$work/gpt2.json" models --device "$device"
  echo "        $(value 'JSON.stringify(it.timing)' "$work/gpt2.json")"
else
  echo "NOT RUN: GPT-2 against PyTorch: $python has no PyTorch."
fi
finish

#!/usr/bin/env bash
# CUDA up to the missing driver, with the real libraries: the set-up, and what is said of each
# library that is taken away. Fetches some 1.5 GB with pip, and needs 4 GB of disk.
#
#     test/devices/cuda-without-gpu.sh [WHEEL]
#
# WHEEL is an onnxruntime-gpu that is there already. CUDA_LIBRARIES names a Python environment that
# has CUDA libraries; what it lacks is fetched.
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/devices/common.sh

if ldconfig -p 2>/dev/null | grep -q 'libcuda\.so\.1'; then
  echo "NOT RUN: this machine has an NVIDIA driver; test/devices/cuda.sh is for it."
  exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME="$work/cache"
unset CONDA_PREFIX LD_LIBRARY_PATH
export VIRTUAL_ENV="$work/environment"
linked="$VIRTUAL_ENV/lib/python3.12/site-packages/nvidia/linked/lib"
mkdir -p "$linked"
if [ -n "${CUDA_LIBRARIES:-}" ]; then
  # Links: what is taken away below is taken from nobody else.
  ln -s "$CUDA_LIBRARIES"/lib/python3*/site-packages/nvidia/*/lib/*.so* "$linked"
fi
model=(models/pre_ln.py:PreLNTransformer --set n_layers=1 --set d_model=32 --set n_heads=2)
driver="there is no NVIDIA driver (libcuda.so.1 is missing)"
built

# reason: what the doctor says of CUDA.
reason() {
  normscope doctor --json - >"$work/doctor.json"
  value 'it.providers.find(({ name }) => name === "cuda").reason' "$work/doctor.json"
}

# fails COMMAND…: whether a command exits with 1; what it wrote is kept.
fails() {
  local code=0
  "$@" >"$work/out" 2>&1 || code=$?
  [ "$code" = 1 ]
}

check "a set-up without a driver is refused" fails normscope doctor --install cuda --yes
check "… with the driver's name" says "$driver" "$work/out"

# What is missing comes by the command that the refusal ends with.
if fails normscope doctor --install cuda --force --dry-run; then
  remedy=$(sed -n 's/^ *To mend it: //p' "$work/out")
  echo "        $remedy"
  $remedy --quiet
fi
check "with the libraries, the set-up goes on to the driver" \
  normscope doctor --install cuda --force --yes ${1:+--from "$1"}
home=$(echo "$XDG_CACHE_HOME"/normscope/cuda/*)

check "the doctor names exactly the missing driver" [ "$(reason)" = "$driver" ]
check "cuda fails with exit code 1" fails normscope run "${model[@]}" --device cuda
check "… and the same words" says "$driver" "$work/out"
normscope run "${model[@]}" --device auto --json "$work/auto.json" >"$work/out"
check "auto runs on the CPU" holds 'it.device.provider === "cpu"' "$work/auto.json"
check "… and says why" says "$driver" "$work/out"

# without PATH NAME: with a file taken away, doctor and run name it.
without() {
  mv "$1" "$1.away"
  local found
  found=$(reason)
  check "without $2 the doctor says: $found" [ "${found#*"$2"}" != "$found" ]
  check "… and so does cuda" fails normscope run "${model[@]}" --device cuda
  check "… in the same words" says "$found" "$work/out"
  mv "$1.away" "$1"
}

folders=$(value 'it.libraryFolders.join("\n")' "$home/install.json")
for library in libcublasLt.so.13 libcublas.so.13 libcurand.so.10 libcudart.so.13 libcudnn.so.9 libcufft.so.12 libnvrtc.so.13; do
  for folder in $folders; do
    if [ -e "$folder/$library" ]; then without "$folder/$library" "$library"; fi
  done
done
for file in libonnxruntime_providers_shared.so libonnxruntime_providers_cuda.so; do
  without "$home/$file" "the CUDA provider is not installed"
done
check "all put back, only the driver is missing" [ "$(reason)" = "$driver" ]
finish

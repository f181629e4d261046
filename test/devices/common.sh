# What the scripts of this folder share: checks that are counted, and the command line.
normscope() { node bin/normscope.mjs "$@"; }

passed=0
failed=0

# check TEXT COMMAND…: counts whether the command succeeds.
check() {
  local text=$1
  shift
  if "$@"; then
    echo "ok      $text"
    passed=$((passed + 1))
  else
    echo "FAILED  $text"
    failed=$((failed + 1))
  fi
}

# says TEXT FILE: whether a file has the text; shows the file where it has not.
says() {
  grep -qF -- "$1" "$2" || { cut -c1-300 "$2" && false; }
}

# holds EXPRESSION FILE: whether an expression in JavaScript is true of `it`, a file's JSON.
holds() {
  node -e '
    const [expression, file] = process.argv.slice(1);
    const it = JSON.parse(require("node:fs").readFileSync(file, "utf8"));
    if (!new Function("it", `return (${expression})`)(it)) process.exit(1);
  ' "$1" "$2"
}

# value EXPRESSION FILE: what it is.
value() {
  node -e '
    const [expression, file] = process.argv.slice(1);
    const it = JSON.parse(require("node:fs").readFileSync(file, "utf8"));
    console.log(new Function("it", `return (${expression})`)(it));
  ' "$1" "$2"
}

# agree A,B MODEL OPTIONS…: runs a model on two devices and checks that no value is further apart than 1e-3.
agree() {
  local devices=$1 model=$2
  shift 2
  rm -f "$work/agreement.json"
  normscope compare "$model" "$@" --device "$devices" --json "$work/agreement.json" >"$work/out" 2>&1 ||
    cut -c1-300 "$work/out"
  check "$model $*: $devices agree within 1e-3" holds "
    it.a.device.provider === '${devices%,*}' && it.b.device.provider === '${devices#*,}' &&
    it.agreement.rows.length > 50 && it.agreement.worst <= 1e-3" "$work/agreement.json"
  echo "        furthest apart: $(value 'it.agreement.worst.toExponential(1) + " (" + it.agreement.rows[0].name + ")"' "$work/agreement.json")"
  echo "        nodes on another device: $(value '(it.a.device.elsewhere ?? []).reduce((sum, { nodes }) => sum + nodes, 0)' "$work/agreement.json")"
}

built() {
  [ -f dist/cli.mjs ] || npm run --silent build
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" = 0 ]
}

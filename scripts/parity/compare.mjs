/** Compares a report with a reference of the parity suite: counts of what was compared, and what is off. */

/** |a − b| ≤ relative · |b| + floor · (the largest number of that kind in the model). */
const tolerance = { relative: 1e-4, halfRelative: 2e-2, floor: 2e-6 };

/** The suite's own files: what they compute is not the model's. */
const suiteFiles = ["driver.py", "normkit.py"];

/** Legacy constructors have no function of PyTorch's behind them that both sides could name. */
const unnamed = /^aten\.|Tensor$/;

/** Most of what one call may return is recorded: so many tensors of a module, of a function. */
const outputLimits = { module: 8, function: 4 };

export function compareWithReference(report, reference) {
  const half = reference.params.some(({ dtype }) => /float16/.test(dtype));
  const check = checker(half ? tolerance.halfRelative : tolerance.relative);
  const parts = {
    loss: () => compareLoss(check, report, reference),
    params: () => compareParameters(check, report, reference),
    modules: () => compareModules(check, report, reference),
    ops: () => compareOps(check, report, reference),
  };
  const counts = {};
  for (const [name, compare] of Object.entries(parts)) {
    const before = check.problems.length;
    const compared = compare();
    counts[name] = { compared, off: check.problems.length - before };
  }
  return { counts, problems: check.problems, worst: check.worst() };
}

function compareLoss(check, report, reference) {
  check.number("loss", "loss", report.loss, reference.loss);
  return 1;
}

function compareParameters(check, report, reference) {
  const ours = new Map(report.parameters.map((p) => [p.name, p]));
  check.list(
    "parameters",
    [...ours.keys()],
    reference.params.map(({ name }) => name),
  );
  const ties = report.parameters.flatMap(({ name, aliases }) =>
    aliases.map((a) => `${a} = ${name}`),
  );
  const theirTies = Object.entries(reference.ties).map(([alias, name]) => `${alias} = ${name}`);
  check.list("ties", ties.sort(), theirTies.sort());
  check.scale(
    "norm",
    reference.params.map(({ w_l2 }) => w_l2),
  );
  check.scale(
    "gradient norm",
    reference.params.map(({ grad_l2 }) => grad_l2),
  );
  for (const theirs of reference.params) {
    const our = ours.get(theirs.name);
    if (our === undefined) continue;
    check.same(
      `${theirs.name} shape`,
      `${our.dtype}[${our.shape}]`,
      `${theirs.dtype}[${theirs.shape}]`,
    );
    check.number(`${theirs.name} norm`, "norm", our.value.l2, theirs.w_l2);
    check.optional(
      `${theirs.name} gradient norm`,
      "gradient norm",
      our.gradient?.l2,
      theirs.grad_l2,
    );
  }
  return reference.params.length;
}

function compareModules(check, report, reference) {
  const ours = new Map();
  for (const { path, class: kind, calls } of report.modules) {
    for (const [call, numbers] of calls.entries())
      ours.set(`${path} call ${call} ${kind}`, numbers);
  }
  const nameOf = ({ path, call, cls }) => `${path} call ${call} ${cls}`;
  check.list("module calls", [...ours.keys()].sort(), reference.modules.map(nameOf).sort());
  const outputs = reference.modules.flatMap(({ out }) => out);
  check.scales("activation", outputs);
  check.scales(
    "gradient",
    outputs.map(({ grad }) => grad ?? {}),
  );
  for (const theirs of reference.modules) {
    const our = ours.get(nameOf(theirs));
    if (our === undefined) continue;
    const where = `${theirs.path || "the model"} call ${theirs.call}`;
    const described = ({ key, dtype, shape }) => `${key} ${dtype}[${shape}]`;
    const shown = our.outputs.slice(0, outputLimits.module);
    check.list(`${where} outputs`, shown.map(described), theirs.out.map(described));
    for (const [i, output] of theirs.out.entries()) {
      const at = `${where}${output.key}`;
      check.stats(at, "activation", our.activation[i], output);
      check.stats(`${at} gradient`, "gradient", our.gradient[i], output.grad);
    }
  }
  return reference.modules.length;
}

/** Per line, the functions in the order of their calls, with the type and size of each result. */
function compareOps(check, report, reference) {
  const theirs = reference.ops
    .filter(([name, from, place]) => from !== "driver" && place !== null && !unnamed.test(name))
    .map(([name, , place, , shape, dtype, mean, rms, absmax]) => {
      const op = name.split(".").at(-1);
      return { place, described: `${op} ${dtype}[${shape}]`, mean, rms, absmax };
    })
    .filter(({ place }) => !suiteFiles.includes(fileOf(place)));
  const ours = report.values
    .filter(({ file, op, output }) => {
      const wanted = !suiteFiles.includes(file) && !unnamed.test(op);
      return wanted && output < outputLimits.function;
    })
    .map(({ file, line, op, dtype, shape, activation }) => {
      return { place: `${file}:${line}`, described: `${op} ${dtype}[${shape}]`, activation };
    });
  check.scales("value", theirs);
  const [ourLines, theirLines] = [byPlace(ours), byPlace(theirs)];
  for (const place of new Set([...theirLines.keys(), ...ourLines.keys()])) {
    const [our, their] = [ourLines.get(place) ?? [], theirLines.get(place) ?? []];
    const described = (list) => list.map((value) => value.described);
    if (!check.list(place, described(our), described(their))) continue;
    for (const [i, value] of their.entries()) {
      check.stats(`${place} ${value.described}`, "value", our[i].activation, value);
    }
  }
  return theirs.length;
}

const fileOf = (place) => place.slice(0, place.lastIndexOf(":"));

function byPlace(values) {
  const groups = new Map();
  for (const value of values) groups.set(value.place, [...(groups.get(value.place) ?? []), value]);
  return groups;
}

/** Collects problems and the largest share of the tolerance that any number used up. */
function checker(relative) {
  const problems = [];
  const largest = new Map();
  let worst = { share: 0, where: "" };
  const scale = (kind, numbers) => {
    const sizes = numbers.filter(Number.isFinite).map(Math.abs);
    largest.set(
      kind,
      sizes.reduce((a, b) => Math.max(a, b), 0),
    );
  };
  const same = (where, a, b) => {
    if (a !== b) problems.push(`${where}: ${a}, PyTorch has ${b}`);
    return a === b;
  };
  const number = (where, kind, a, b) => {
    if (typeof a !== "number" || typeof b !== "number") return same(where, a, b);
    const allowed = relative * Math.abs(b) + tolerance.floor * (largest.get(kind) ?? Math.abs(b));
    const share = a === b ? 0 : Math.abs(a - b) / allowed;
    if (share > worst.share) worst = { share, where };
    if (share > 1) problems.push(`${where}: ${a}, PyTorch has ${b}`);
    return share <= 1;
  };
  const optional = (where, kind, a, b) =>
    a == null || b == null ? same(where, a ?? null, b ?? null) : number(where, kind, a, b);
  const list = (where, ours, theirs) => {
    if (JSON.stringify(ours) === JSON.stringify(theirs)) return true;
    const missing = theirs.filter((name) => !ours.includes(name));
    const extra = ours.filter((name) => !theirs.includes(name));
    const order = missing.length + extra.length === 0 ? "another order or count" : null;
    const parts = [
      order,
      missing[0] && `no '${missing[0]}'`,
      extra[0] && `'${extra[0]}' is not in PyTorch's`,
    ];
    problems.push(`${where}: ${parts.filter(Boolean).join(", ")}`);
    return false;
  };
  const fields = [
    ["mean", "mean", "rms"],
    ["rms", "rms", "rms"],
    ["absmax", "absMax", "absmax"],
  ];
  const scales = (kind, rows) => {
    for (const field of ["rms", "absmax"])
      scale(
        `${kind} ${field}`,
        rows.map((row) => row[field]),
      );
  };
  const stats = (where, kind, ours, theirs) => {
    if (ours == null || theirs == null) {
      return same(where, ours == null ? "none" : "one", theirs == null ? "none" : "one");
    }
    // Nothing has no mean; the reference says 0.
    if (ours.count === 0) return true;
    // The reference's numbers are over all elements, the report's over the finite ones.
    if (typeof theirs.absmax !== "number") {
      const nonFinite = ours.nan + ours.posInf + ours.negInf > 0;
      return same(where, nonFinite ? "not finite" : "finite", "not finite");
    }
    for (const [field, name, by] of fields) {
      number(`${where} ${field}`, `${kind} ${by}`, ours[name], theirs[field]);
    }
  };
  return { problems, worst: () => worst, scale, scales, same, number, optional, list, stats };
}

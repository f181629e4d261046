/** Prints python/torch/_table.py: what Python's functions are made from. */
import { callTable } from "./host.ts";

const python = (value: string | boolean | readonly string[] | null): string => {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return JSON.stringify(value);
  return `(${value.map((item) => `${python(item)}, `).join("")})`;
};

const rows = callTable().map(
  (row) =>
    `    (${[row.key, row.name, row.in, row.returns, row.inPlace].map(python).join(", ")}),\n`,
);
process.stdout.write(
  `"""The calls that the host knows: key, name, places, names of results, has an in-place twin."""\n\nTABLE = (\n${rows.join("")})\n`,
);

/** Parameters that the step never used. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";
import { parameterPlace } from "./parameterPlace.ts";

/**
 * One finding for each attribute that was set and never read, the layers of a stack taken together.
 * Experts without tokens are as usual.
 */
export function unusedParameters(evidence: Evidence): Finding[] {
  const { program, report } = evidence;
  const called = new Set(report.modules.map(({ path }) => path));
  const groups = new Map<string, { attributes: Set<string>; names: string[] }>();
  for (const { name, value, requiresGrad } of program.parameters) {
    if (value !== null || !requiresGrad) continue;
    const attribute = attributeOf(name, called);
    const key = attribute.replaceAll(/(?<=^|\.)\d+(?=\.)/g, "#");
    const group = groups.get(key) ?? { attributes: new Set(), names: [] };
    groups.set(key, group);
    group.attributes.add(attribute);
    group.names.push(name);
  }
  return [...groups.values()].flatMap(({ attributes, names }): Finding[] => {
    const [first] = attributes;
    if (first === undefined) return [];
    const isOne = attributes.size === 1;
    const others = isOne ? "" : ` and ${counted(attributes.size - 1, "other")} like it`;
    return [
      {
        code: "parameters/unused",
        severity: "information",
        message: `${first}${others} ${isOne ? "has" : "have"} ${counted(names.length, "parameter")} that this step never used`,
        ...parameterPlace(evidence, first),
        module: first,
        evidence: { parameters: names.length, names: names.slice(0, 12).join(", ") },
      },
    ];
  });
}

/** The outermost module on the way that was not called, else the parameter itself. */
function attributeOf(name: string, called: ReadonlySet<string>): string {
  const parts = name.split(".");
  for (let depth = 1; depth < parts.length; depth++) {
    const path = parts.slice(0, depth).join(".");
    if (![...called].some((one) => one === path || one.startsWith(`${path}.`))) return path;
  }
  return name;
}

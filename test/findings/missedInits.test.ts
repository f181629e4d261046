/** Initialisations that miss what they are meant for, and what only looks like it. */
import { expect, test } from "vitest";
import { checkFaults } from "./checkFaults.ts";
import { runClass } from "./runClass.ts";

const file = "missedInits.py";

checkFaults(file, {
  FlagMisspelt: ["init/missed", 'hasattr(module, "SCALE_INIT"'],
  NameMisspelt: ["init/missed", 'name.endswith("c_porj.weight"'],
  DrawnTooEarly: ["init/missed", "self.apply(self.draw)"],
});

test("a name that is not met is told with the one that was likely meant", async () => {
  const { findings } = await runClass(file, "NameMisspelt");
  expect(findings[0]?.message).toContain('3 parameters with "c_proj.weight" in the name');
});

test("what was made too late is told with its deviation, PyTorch's own", async () => {
  const { findings } = await runClass(file, "DrawnTooEarly");
  expect(findings[0]?.evidence).toMatchObject({ weights: 1, example: "head.weight" });
  expect(Number(findings[0]?.evidence["std"])).toBeCloseTo(1 / Math.sqrt(3 * 16), 1);
});

test.each([
  ["BothNames", "a name whose weights are drawn by another condition"],
  ["FlagWithoutModules", "flags that nothing has"],
  ["OwnDraw", "a later draw of its own"],
  ["StatesChosen", "rates that are chosen in each layer alike"],
])("%s: nothing is claimed of %s", async (entry) => {
  expect((await runClass(file, entry)).findings).toEqual([]);
});

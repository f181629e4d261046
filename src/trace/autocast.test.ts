import { expect, test } from "vitest";
import { createHost } from "./host.ts";
import { createSession } from "./session.ts";

/** The type of what a call gives for a float32 and a bfloat16 matrix. */
function typesOf(name: string, type: string): string[] {
  const session = createSession({ evaluate: () => new Float32Array(0) });
  const host = createHost(session);
  const site = host.site("model.py", 1, 0, 1, 1, "step");
  return ["float32", "bfloat16"].map((dtype) => {
    const x = host.from_text(dtype, "2,2", "1,2,3,4");
    host.set_autocast(type);
    const given = host.call(name, site, name === "prod" ? "t" : "tt", x, x);
    return host.dtype(Number(given));
  });
}

test("products are computed in the lower precision", () => {
  expect(typesOf("matmul", "bfloat16")).toEqual(["bfloat16", "bfloat16"]);
  expect(typesOf("matmul", "")).toEqual(["float32", "bfloat16"]);
});

test("what needs range is computed in float32", () => {
  expect(typesOf("prod", "bfloat16")).toEqual(["float32", "float32"]);
});

test("other calls keep the type of their arguments", () => {
  expect(typesOf("add", "bfloat16")).toEqual(["float32", "bfloat16"]);
});

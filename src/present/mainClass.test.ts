import { expect, test } from "vitest";
import { mainClass } from "./mainClass.ts";

const block = `class Block(nn.Module):
    def forward(self, x):
        return x

`;
const whole = (name: string) => `class ${name}(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = nn.ModuleList(Block() for _ in range(depth))

`;

test("the module that is made of the others", () => {
  const source = `${whole("Model")}${block}class Config:\n    depth = 2\n`;
  expect(mainClass(source)).toEqual({ name: "Model", line: 1, others: [] });
});

test("of several the one that code outside of classes makes, not one that a comment names", () => {
  const source = `${block}${whole("A")}${whole("B")}${whole("C")}# C is best
if __name__ == "__main__":
    model = A(3)
    print("B")
`;
  expect(mainClass(source)).toEqual({ name: "A", line: 5, others: ["B", "C"] });
});

test("else the last one; none in a file without modules", () => {
  expect(mainClass(`${block}${whole("A")}${whole("B")}`)?.name).toBe("B");
  expect(mainClass("class Config:\n    depth = 2\n")).toBeNull();
});

test("a class that is only named outside of classes is not made there", () => {
  const source = `${block}GELU = nn.GELU if hasattr(nn, "GELU") else Block\n\n${whole("A").replaceAll("Block", "GELU")}`;
  expect(mainClass(source)?.name).toBe("A");
});

test("a part that nothing uses comes after what is made of parts", () => {
  const loose = block.replace("Block", "Projection");
  expect(mainClass(`${block}${whole("A")}${loose}`)?.name).toBe("A");
  expect(mainClass(`${block}${loose}`)?.name).toBe("Projection");
});

test("a loop of training is no model, and what it trains no part", () => {
  const trainer = `class Trainer(nn.Module):
    def __init__(self, steps):
        self.model = Model(steps)

    def forward(self):
        self.model(self.batch)

`;
  expect(mainClass(`${block}${whole("Model")}${trainer}`)).toEqual({
    ...{ name: "Model", line: 5, others: [] },
  });
  expect(mainClass(trainer)?.name).toBe("Trainer");
});

test("a class whose bases are given with settings in brackets", () => {
  const source = `class Model(
    Base,
    Mixin,
    coders={Args: (lambda x: {"args": x.dump()}, lambda data: Args(**dict(data)))},
):
    def forward(self, x):
        return x
`;
  expect(mainClass(source)?.name).toBe("Model");
});

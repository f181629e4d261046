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

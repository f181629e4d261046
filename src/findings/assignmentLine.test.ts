import { expect, test } from "vitest";
import { assignmentLine } from "./assignmentLine.ts";

const text = `class Base(nn.Module):
    def __init__(self):
        self.emb, self.head = make()

class Model(Base):
    def __init__(self):
        super().__init__()
        self.norm = nn.LayerNorm(4)
        assert self.norm == self.norm

class Other(nn.Module):
    def __init__(self):
        self.emb = nn.Embedding(2, 2)
        self.only = 1
`;
const lineIn = (name: string) => assignmentLine(text, name, 5);

test("the class itself comes first", () => {
  expect(lineIn("norm")).toBe(8);
});

test("then its bases in the file, and no class that merely follows", () => {
  expect(lineIn("emb")).toBe(3);
  expect(lineIn("only")).toBeNull();
});

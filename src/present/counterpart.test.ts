import { expect, test } from "vitest";
import { counterpart, literals } from "./counterpart.ts";
import { pythonOutline } from "./pythonOutline.ts";

const find = (source: string, entry: string, file = "model.py", siblings: string[] = []) =>
  counterpart(pythonOutline(source), entry, file, siblings);

test("a class of the same file", () => {
  const source = "class PreLNNet(nn.Module): ...\nclass PostLNNet(nn.Module): ...\n";
  expect(find(source, "PreLNNet")).toEqual({
    kind: "class",
    entry: "PostLNNet",
    placements: { own: "Pre-LN", other: "Post-LN" },
  });
  expect(find(source, "PostLNNet")).toMatchObject({ kind: "class", entry: "PreLNNet" });
});

test("a class of the file beside it", () => {
  const source = "class PostLNTransformer(nn.Module): ...\n";
  expect(find(source, "PostLNTransformer", "post_ln.py", ["pre_ln.py", "a.py"])).toEqual({
    kind: "file",
    file: "pre_ln.py",
    entry: "PreLNTransformer",
    placements: { own: "Post-LN", other: "Pre-LN" },
  });
  expect(find(source, "PostLNTransformer", "post_ln.py", ["a.py"])).toBeNull();
});

const withArgument = (argument: string) =>
  find(`class Net(nn.Module):\n    def __init__(self, d=1, ${argument}):\n        pass\n`, "Net");

test("an argument of the constructor", () => {
  expect(withArgument("norm_first: bool = True")).toEqual({
    kind: "argument",
    name: "norm_first",
    pre: "True",
    post: "False",
  });
  expect(withArgument('placement: Literal["pre", "post", "peri"] = "pre"')).toMatchObject({
    name: "placement",
    pre: '"pre"',
    post: '"post"',
  });
  expect(withArgument("post_norm=False")).toMatchObject({ pre: "False", post: "True" });
  expect(withArgument("norm_first='x'")).toBeNull();
});

test("a name that only begins alike has no counterpart", () => {
  expect(find("class Predictor(nn.Module): ...\n", "Predictor")).toBeNull();
  expect(find("class Net(nn.Module): ...\n", "Missing")).toBeNull();
});

test("literals as they are written", () => {
  expect(literals("Literal[\"a, b\", 'c', 3]")).toEqual(['"a, b"', "'c'", "3"]);
  expect(literals("int")).toEqual([]);
});

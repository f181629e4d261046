import { expect, test } from "vitest";
import { unpickleTorch } from "./torchPickle.ts";

const place = { file: "a.pt", position: 0, bytes: 16, inflated: null, little: true };
const load = (pickle: string) =>
  unpickleTorch("a.pt", Buffer.from(pickle, "latin1"), 0, () => place).value;

test("plain values of every protocol", () => {
  const values =
    "\x80\x02](I7\nJ\xff\xff\xff\xffL12L\nG\x3f\xf8\x00\x00\x00\x00\x00\x00\x88N\x8a\x02\x00\x01U\x01ae.";
  expect(load(values)).toEqual({
    kind: "list",
    items: [
      { kind: "int", value: 7n },
      { kind: "int", value: -1n },
      { kind: "int", value: 12n },
      { kind: "float", value: 1.5 },
      { kind: "bool", value: true },
      { kind: "none" },
      { kind: "int", value: 256n },
      { kind: "text", value: "a" },
    ],
  });
});

const storage = "((U\x07storagectorch\nFloatStorage\nU\x010U\x03cpuK\x04tQ";
const tensor = (offset: string, shape: string, strides: string) =>
  `ctorch._utils\n_rebuild_tensor_v2\n${storage}${offset}${shape}${strides}\x89NtR.`;

test("a tensor is a window on its storage", () => {
  const value = load(tensor("K\x01", "K\x03\x85", "K\x01\x85"));
  expect(value).toMatchObject({
    kind: "tensor",
    tensor: { element: "float32", shape: [3], strides: [1], offset: 1 },
  });
});

test.each([
  ["posix.system", "cposix\nsystem\n(U\x02lstR."],
  ["builtins.eval", "\x80\x04\x8c\x08builtins\x8c\x04eval\x93."],
  ["os.system", "(S'ls'\nios\nsystem\n."],
  ["torch.load", "ctorch\nload\n."],
  ["torch.storage._load_from_bytes", "ctorch.storage\n_load_from_bytes\n."],
  ["__torch__.Model", "c__torch__\nModel\n)\x81."],
  ["functools.partial", "cfunctools\npartial\n."],
])("refuses %s by its name", (name, pickle) => {
  expect(() => load(pickle)).toThrow(`name '${name}'`);
});

test.each([
  ["it is cut short", "U\x09ab"],
  ["it is cut short", "K"],
  ["it takes a value where there is none", "."],
  ["it takes values where there are none", "e."],
  ["it refers to a value 5", "h\x05."],
  ["it has the operation 130", "\x82\x01."],
  ["the key 'a' stands twice", "}(U\x01aK\x01U\x01aK\x02u."],
  ["it calls what is no function", "K\x01)R."],
  ["it sets attributes of what has none", "}}b."],
  ["it refers to what is no storage", "K\x01Q."],
  ["a tensor of shape [4] reaches beyond its storage", tensor("K\x01", "K\x04\x85", "K\x01\x85")],
  ["reaches beyond its storage", tensor("K\x00", "K\x02\x85", "K\x04\x85")],
  ["a size is no whole number", tensor("J\xff\xff\xff\xff", "K\x01\x85", "K\x01\x85")],
  ["it has a number of too many digits", "\x8b\xff\xff\x00\x00."],
])("says that %s", (reason, pickle) => {
  expect(() => load(pickle)).toThrow(reason);
});

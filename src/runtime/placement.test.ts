import { expect, test } from "vitest";
import type { NodeSource } from "../graph/encode.ts";
import { elsewhere, readNodesOnCpu } from "./placement.ts";

const event = (name: string, provider: string) =>
  `{"cat" : "Node","name" :"${name}","args" : {"op_name" : "TopK","provider" : "${provider}"}},`;

test("reads which nodes the CPU ran from the runtime's profile", () => {
  const profile = [
    "[",
    event("0_kernel_time", "WebGpuExecutionProvider"),
    event("12_kernel_time", "CPUExecutionProvider"),
    event("12_kernel_time", "CPUExecutionProvider"),
    event("Memcpy_token_1_kernel_time", "CPUExecutionProvider"),
    "]",
  ].join("\n");
  expect(readNodesOnCpu(profile)).toEqual([12]);
});

test("tells them by line and call", () => {
  const at = (line: number, op: string): NodeSource => ({
    ...{ op, line, direction: "forward", module: "moe", file: "model.py", column: 0 },
  });
  const sources = [at(3, "topk"), at(3, "topk"), at(4, "sort"), null];
  expect(elsewhere([0, 1, 2, 3], sources).map(({ line, op, nodes }) => [line, op, nodes])).toEqual([
    [3, "topk", 2],
    [4, "sort", 1],
  ]);
});

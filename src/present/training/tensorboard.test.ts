import { expect, test } from "vitest";
import { crc32c } from "./tensorboard.ts";

test("the checksum is Castagnoli's", () => {
  expect(crc32c(new TextEncoder().encode("123456789")).toString(16)).toBe("e3069283");
});

/** Files of the workspace as text. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** null: it cannot be read. */
export const readerOf = (root: string) => (file: string) => {
  try {
    return readFileSync(join(root, file), "utf8");
  } catch {
    return null;
  }
};

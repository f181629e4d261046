/** What a report says of the checkpoint that was loaded. */
import { createHash } from "node:crypto";
import type { WeightsRequest } from "../protocol/engine.ts";
import type { WeightsInfo } from "../protocol/report.ts";
import type { LoadedWeights } from "../trace/traceScript.ts";
import { hashOfFile } from "../weights/fileReader.ts";

export function weightsInfo(
  request: WeightsRequest | null | undefined,
  loaded: LoadedWeights | null,
): WeightsInfo | null {
  if (!request || loaded === null) return null;
  const { format, files, key, tensors, missing, unexpected } = loaded;
  const sha256 = hashOf(files.map(hashOfFile));
  return { file: request.file, format, sha256, key, tensors, missing, unexpected };
}

function hashOf(hashes: readonly string[]): string {
  const [only] = hashes;
  if (only !== undefined && hashes.length === 1) return only;
  return createHash("sha256").update(hashes.join("\n")).digest("hex");
}

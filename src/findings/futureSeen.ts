/** A causal mask that leaves a part of the future. */
import type { Finding } from "../protocol/report.ts";
import { counted, type Evidence } from "./evidence.ts";
import { strictMask } from "./hiddenSelf.ts";
import { oncePerLine } from "./oncePerLine.ts";

/** A window to both sides is no causal mask: what is seen of past and future must differ. */
export const futureSeen = ({ report, structure }: Evidence): Finding[] =>
  oncePerLine(
    report.attention.flatMap(({ sees, softmaxOver = "keys", file, line, path }): Finding[] =>
      !sees?.future ||
      !sees.past ||
      !sees.hidesFuture ||
      softmaxOver !== "keys" ||
      structure.attention.some(
        (one) =>
          one.call.site.line === line && one.call.module === path && strictMask(one, structure),
      )
        ? []
        : [
            {
              code: "attention/sees-future",
              severity: "warning",
              message: `The mask hides most of the future, but not all: positions see up to ${counted(sees.farthest, "position")} ahead`,
              file,
              line,
              module: path,
              evidence: { "farthest ahead": sees.farthest },
            },
          ],
    ),
  );

/** What depth profiles are called, in the page's language: they are made without knowing one. */
import { t } from "../ui/strings.ts";

/** A label or a definition of a series; names of branches stay as they are. */
export function depthLabel(text: string): string {
  const branch = /^(.*) \/ stream$/.exec(text)?.[1];
  if (branch !== undefined) return t("{0} / stream", branch);
  const adding = /^root mean square of what (.*) adds, over/.exec(text)?.[1];
  if (adding !== undefined)
    return t("root mean square of what {0} adds, over that of the stream it is added to", adding);
  return fixed()[text] ?? text;
}

const fixed = (): Readonly<Record<string, string>> => ({
  "residual stream RMS": t("residual stream RMS"),
  "root mean square of the residual stream that leaves the block": t(
    "root mean square of the residual stream that leaves the block",
  ),
  "gradient at block output": t("gradient at block output"),
  "root mean square of the loss's gradient with respect to the block's output": t(
    "root mean square of the loss's gradient with respect to the block's output",
  ),
  "FFN weight gradient": t("FFN weight gradient"),
  "L2 norm of the gradient of the last linear weight in the block's last branch": t(
    "L2 norm of the gradient of the last linear weight in the block's last branch",
  ),
  "backward gain": t("backward gain"),
  "L2 norm of the gradient at the block's input, over that at its output": t(
    "L2 norm of the gradient at the block's input, over that at its output",
  ),
});

/** What a tokenizer does to a text before it is cut. */
import { tokenizerUnsupported } from "../errors.ts";
import { charsMapReplacer } from "./charsMap.ts";
import { readPattern } from "./pattern.ts";
import { flag, partsOf, type Settings, textSetting } from "./settings.ts";

export type Normalize = (text: string) => string;

/** Throws for a kind that is not known. */
export function normalizer(settings: Settings | null): Normalize {
  if (settings === null) return (text) => text;
  switch (settings.type) {
    case "Sequence": {
      const steps = partsOf(settings, "normalizers", "a normalizer").map(normalizer);
      return (text) => steps.reduce((done, step) => step(done), text);
    }
    case "NFC":
    case "NFD":
    case "NFKC":
    case "NFKD": {
      const form = settings.type;
      return (text) => text.normalize(form);
    }
    case "Lowercase":
      return (text) => text.toLowerCase();
    case "StripAccents":
      return withoutMarks;
    case "Strip":
      return stripped(flag(settings, "strip_left", true), flag(settings, "strip_right", true));
    case "Prepend": {
      const prefix = textSetting(settings, "prepend") ?? "";
      return (text) => (text === "" ? text : prefix + text);
    }
    case "Replace": {
      const [pattern, content] = [
        readPattern(settings["pattern"]),
        textSetting(settings, "content"),
      ];
      return (text) => text.replaceAll(pattern, () => content ?? "");
    }
    case "BertNormalizer":
      return bertNormalizer(settings);
    case "Precompiled":
      return charsMapReplacer(textSetting(settings, "precompiled_charsmap") ?? "");
    default:
      throw tokenizerUnsupported(`the normalizer '${settings.type}'`);
  }
}

const withoutMarks: Normalize = (text) => text.replaceAll(/\p{Mn}/gu, "");

const stripped =
  (left: boolean, right: boolean): Normalize =>
  (text) => {
    const start = left ? text.replace(/^\p{White_Space}+/u, "") : text;
    return right ? start.replace(/\p{White_Space}+$/u, "") : start;
  };

const chinese =
  /[\u{4e00}-\u{9fff}\u{3400}-\u{4dbf}\u{20000}-\u{2a6df}\u{2a700}-\u{2b73f}\u{2b740}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{f900}-\u{faff}\u{2f800}-\u{2fa1f}]/gu;

function bertNormalizer(settings: Settings): Normalize {
  const lowers = flag(settings, "lowercase", true);
  const strips = flag(settings, "strip_accents", lowers);
  const steps: Normalize[] = [];
  if (flag(settings, "clean_text", true))
    steps.push((text) =>
      text
        .replaceAll(/[\t\n\r]/g, " ")
        .replaceAll(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\0\ufffd]/gu, "")
        .replaceAll(/\p{White_Space}/gu, " "),
    );
  if (flag(settings, "handle_chinese_chars", true))
    steps.push((text) => text.replaceAll(chinese, " $& "));
  if (strips) steps.push((text) => withoutMarks(text.normalize("NFD")));
  if (lowers) steps.push((text) => text.toLowerCase());
  return (text) => steps.reduce((done, step) => step(done), text);
}

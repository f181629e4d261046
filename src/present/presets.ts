/** Sizes to choose from: those that a file names in PRESETS, else published ones by argument. */
import type { FormField, Preset } from "../protocol/webview.ts";
import { filePresets } from "./modelFacts.ts";

interface Sizes {
  readonly label: string;
  readonly layers: number;
  readonly width: number;
  readonly heads: number;
  readonly kvHeads?: number;
  readonly ffn: number;
  readonly vocabulary: number;
  readonly context: number;
}

/** From the papers and the released configurations. */
const published: readonly Sizes[] = [
  size("BERT base", 12, 768, 12, 3072, 30522, 512),
  size("BERT large", 24, 1024, 16, 4096, 30522, 512),
  size("GPT-2 small", 12, 768, 12, 3072, 50257, 1024),
  size("GPT-2 medium", 24, 1024, 16, 4096, 50257, 1024),
  size("GPT-2 large", 36, 1280, 20, 5120, 50257, 1024),
  size("GPT-2 XL", 48, 1600, 25, 6400, 50257, 1024),
  size("GPT-3 Small", 12, 768, 12, 3072, 50257, 2048),
  size("LLaMA 7B", 32, 4096, 32, 11008, 32000, 2048),
  { ...size("Llama 3 8B", 32, 4096, 32, 14336, 128256, 8192), kvHeads: 8 },
  { ...size("Mistral 7B", 32, 4096, 32, 14336, 32000, 8192), kvHeads: 8 },
  { ...size("Gemma 2 2B", 26, 2304, 8, 9216, 256000, 8192), kvHeads: 4 },
];

function size(
  label: string,
  layers: number,
  width: number,
  heads: number,
  ffn: number,
  vocabulary: number,
  context: number,
): Sizes {
  return { label, layers, width, heads, ffn, vocabulary, context };
}

/** What model files call each size. */
const names: Readonly<Record<Exclude<keyof Sizes, "label">, RegExp>> = {
  layers: /^(?:n_?layers?|num_(?:hidden_)?layers|depth|n_blocks)$/i,
  width: /^(?:d_?model|n_?embd|dim|hidden_(?:size|dim)|embed_dim|width)$/i,
  heads: /^(?:n_?heads?|num_(?:attention_)?heads)$/i,
  kvHeads: /^(?:n_kv_heads?|num_(?:key_value|kv)_heads)$/i,
  ffn: /^(?:d_?ff|d_?ffn|ffn_dim|dim_feedforward|intermediate_size|hidden_features|d_mlp)$/i,
  vocabulary: /^(?:vocab_?size|n_?vocab|num_tokens)$/i,
  context:
    /^(?:max_(?:seq_)?len(?:gth)?|block_size|n_?ctx|context_(?:length|size)|max_position_embeddings|n_positions)$/i,
};
const kinds = Object.keys(names) as (keyof typeof names)[];

/** The file's own presets say all arguments: those that they do not name go back to the default. */
export function presetsOf(source: string, fields: readonly FormField[]): Preset[] {
  const own = filePresets(source);
  if (own.length === 0) return presetsFor(fields);
  const defaults = Object.fromEntries(fields.map(({ name }) => [name, ""]));
  return own.map(({ name, set }) => ({ label: name, set: { ...defaults, ...set } }));
}

/** Empty where the model has no argument for depth or for width. */
export function presetsFor(fields: readonly FormField[]): Preset[] {
  const fieldOf = (kind: keyof typeof names) => fields.find(({ name }) => names[kind].test(name));
  if (fieldOf("layers") === undefined || fieldOf("width") === undefined) return [];
  return published.map((sizes) => ({
    label: sizes.label,
    set: Object.fromEntries(
      kinds.flatMap((kind): [string, string][] => {
        const field = fieldOf(kind);
        const value = kind === "kvHeads" ? (sizes.kvHeads ?? sizes.heads) : sizes[kind];
        return field === undefined ? [] : [[field.name, String(value)]];
      }),
    ),
  }));
}

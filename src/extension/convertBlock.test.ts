import { expect, test, vi } from "vitest";
import { fake } from "../../test/extension/fake/vscode.ts";
import type { RewriteAnswer, RewriteRequest } from "../protocol/rewrite.ts";
import type { Ctx } from "./context.ts";
import { registerConversions } from "./convertBlock.ts";

const text = `class Block(nn.Module):
    def __init__(self, d):
        self.norm = nn.LayerNorm(d)

    def forward(self, x):
        return x + self.attn(self.norm(x))

class Other(nn.Module):
    def forward(self, x):
        return x
`;

interface Offered {
  readonly title: string;
  readonly edit?: { readonly replaced: readonly unknown[] };
}

function registered(rewrite: (request: RewriteRequest) => Promise<RewriteAnswer>) {
  registerConversions({ engine: () => ({ rewrite }) } as unknown as Ctx);
  const provider = fake.providers.get("codeActions") as {
    provideCodeActions(document: unknown, range: unknown): Offered[];
    resolveCodeAction(action: Offered): Promise<Offered>;
  };
  const document = { getText: () => text, uri: "a.py" };
  const at = (line: number) => provider.provideCodeActions(document, { start: { line } });
  return { at, resolve: provider.resolveCodeAction };
}

test("a class with a norm and a sum is offered, and edited once it is chosen", async () => {
  const edited = text.replace("x + self.attn(self.norm(x))", "self.norm(x + self.attn(x))");
  const rewrite = vi.fn(async () => ({ text: edited, from: "pre", blocks: ["Block"] }));
  const { at, resolve } = registered(rewrite);
  expect(at(8)).toEqual([]);
  const actions = at(5);
  expect(actions.map(({ title }) => title)).toEqual([
    "Convert 'Block' to Post-LN",
    "Convert 'Block' to Pre-LN",
    "Convert 'Block' to peri-norm",
    "Convert 'Block' to RMSNorm",
  ]);
  expect(rewrite).not.toHaveBeenCalled();
  const [post] = actions;
  const chosen = post && (await resolve(post));
  expect(rewrite).toHaveBeenCalledWith({ text, entry: "Block", to: "post" });
  expect(chosen?.edit?.replaced).toMatchObject([
    {
      range: { start: { line: 5 }, end: { line: 6 } },
      text: "        return self.norm(x + self.attn(x))\n",
      metadata: { needsConfirmation: true },
    },
  ]);
});

test("what is refused edits nothing", async () => {
  const { at, resolve } = registered(async () => ({ refused: "the norm is elsewhere", line: 6 }));
  const [post] = at(5);
  const chosen = post && (await resolve(post));
  expect(chosen?.edit).toBeUndefined();
});

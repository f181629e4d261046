import { expect, test } from "vitest";
import type { Finding } from "../../protocol/report.ts";
import { findingFix, fixed } from "./findingFixes.ts";

/** The text with the fix of a finding at the line that holds `at`; null: there is no fix. */
function mended(
  code: string,
  at: string,
  body: string,
  evidence: Finding["evidence"] = {},
): string | null {
  const indented = body.replaceAll(/^/gm, "        ");
  const source = `class A(nn.Module):\n    def forward(self, x, q, k, v, mask):\n${indented}\n`;
  const line = source.split("\n").findIndex((each) => each.includes(at)) + 1;
  const finding: Finding = {
    ...{ code, severity: "warning", message: "", file: "a.py", line, module: null },
    evidence,
  };
  const fix = findingFix(finding, source);
  if (fix === null) return null;
  return fixed(source, fix).split("\n").slice(2, -1).join("\n").replaceAll(/^ {8}/gm, "");
}

test("takes the axis that the run saw, and none where it saw none", () => {
  const axis = { "axis of the keys": -2 };
  const softmax = (line: string, evidence: Finding["evidence"]) =>
    mended("attention/softmax-axis", "softmax", line, evidence);
  expect(softmax("p = torch.softmax(s)  # softmax(", axis)).toBe(
    "p = torch.softmax(s, dim=-2)  # softmax(",
  );
  expect(softmax("p = s.softmax(dim=self.axis)", axis)).toBe("p = s.softmax(dim=-2)");
  expect(softmax("p = s.softmax(1)", {})).toBeNull();
  expect(softmax("p = a.softmax(1) + b.softmax(1)", axis)).toBeNull();
  expect(softmax("p = self.act(softmax)", axis)).toBeNull();
  expect(softmax("p = torch.softmax(\n    s, 1)", axis)).toBeNull();
});

test("leaves a scale alone where it cannot tell which one it is", () => {
  const wide = { scale: 0.25, "head width": 8, "model width": 16 };
  const scaled = (body: string) => mended("attention/scale", "softmax", body, wide);
  const product = "s = q @ k.transpose(-2, -1)";
  expect(scaled(`${product} / math.sqrt(self.dim)\np = s.softmax(-1)`)).toContain(
    "(-2, -1) * q.shape[-1] ** -0.5\n",
  );
  expect(scaled(`${product} / math.sqrt(2) / math.sqrt(self.dim)\np = s.softmax(-1)`)).toBeNull();
  expect(scaled(`s = self.scores(q, k) / math.sqrt(self.dim)\np = s.softmax(-1)`)).toBeNull();
});

test("turns a mask of the function's own only where it is seen to hold Booleans", () => {
  const call = "y = F.scaled_dot_product_attention(q, k, v, attn_mask=hide)";
  const turn = (made: string) => mended("attention/mask-flipped", "scaled_dot", `${made}\n${call}`);
  expect(turn("hide = torch.ones(4, 4).triu(1).bool()")).toContain("attn_mask=~hide)");
  expect(turn("hide = torch.ones(4, 4).triu(1)")).toBeNull();
  expect(mended("attention/mask-flipped", "scaled_dot", call)).toBeNull();
  expect(mended("attention/mask-flipped", "fill", "s = s.masked_fill(a == 0, -1e9)")).toBe(
    "s = s.masked_fill(~(a == 0), -1e9)",
  );
});

test("changes only the diagonal that was measured", () => {
  const hide = (farthest: number) =>
    mended("attention/sees-future", "triu", "m = torch.ones(4, 4).triu(2).bool()", {
      "farthest ahead": farthest,
    });
  expect(hide(1)).toBe("m = torch.ones(4, 4).triu(1).bool()");
  expect(hide(2)).toBeNull();
});

test("moves a mask in front of softmax only where every row keeps a key", () => {
  const move = (least: number) =>
    mended("attention/row-sums", "softmax", "p = torch.softmax(s, -1).masked_fill(mask, 0.0)", {
      "least sum": least,
    });
  expect(move(0.1)).toBe('p = torch.softmax(s.masked_fill(mask, float("-inf")), -1)');
  expect(move(0)).toBeNull();
});

test("keeps what is read: a name, a function without self, a text in a string", () => {
  const sum = "y = x + self.attn(x)\nreturn x + self.ffn(x)";
  expect(mended("block/lost-sum", "y = x", sum)).toContain("x = x + self.attn(x)");
  expect(mended("block/lost-sum", "y = x", `${sum} + y.mean()`)).toBeNull();
  expect(
    mended("init/missed", "==", 'if name == "c_proj.weight":', { example: "c.bias" }),
  ).toBeNull();
  expect(mended("model/dropout-in-eval", "F.", 'x = "F.dropout(x, 0.1)"')).toBeNull();
  expect(mended("model/dropout-in-eval", "F.", "x = F.dropout(x, 0.1, True)")).toBeNull();
});

test("removes the only statement of a branch by one that does nothing", () => {
  const body =
    "if self.scaled:\n    q = q * self.scale\ny = F.scaled_dot_product_attention(q, k, v)";
  expect(mended("attention/scale", "scaled_dot", body, { scale: 1 / 64, "head width": 64 })).toBe(
    "if self.scaled:\n    pass\ny = F.scaled_dot_product_attention(q, k, v)",
  );
});

test("closes a stack with the norm that the file uses, and with none where it uses two", () => {
  const close = (norms: string) =>
    mended(
      "norm/no-final",
      "self.head(x)",
      `self.head = nn.Linear(dim, 31)\n${norms}\nreturn self.head(x)`,
    );
  expect(close("a = nn.RMSNorm(dim)")).toBe(
    "self.final_norm = nn.RMSNorm(dim)\nself.head = nn.Linear(dim, 31)\na = nn.RMSNorm(dim)\nreturn self.head(self.final_norm(x))",
  );
  expect(close("a = nn.RMSNorm(dim) + nn.LayerNorm(dim)")).toBeNull();
  expect(close("self.final_norm = nn.LayerNorm(dim)\nb = nn.RMSNorm(dim)")).toBeNull();
});

test("has nothing for a finding without a line, or whose line is gone", () => {
  expect(mended("init/loss", "x", "x = x")).toBeNull();
  expect(mended("attention/scale", "not there", "x = x")).toBeNull();
});

test("makes weights by softmax, and once", () => {
  const weigh = (line: string) => mended("attention/no-softmax", "p =", line);
  expect(weigh("p = F.relu(s)")).toBe("p = F.softmax(s, dim=-1)");
  expect(weigh("p = torch.sigmoid(s * self.scale)")).toBe(
    "p = torch.softmax(s * self.scale, dim=-1)",
  );
  expect(weigh("p = s.relu()")).toBe("p = s.softmax(dim=-1)");
  expect(weigh("p = self.relu(s)")).toBeNull();
  expect(weigh("p = F.relu(s) + F.relu(t)")).toBeNull();
  const once = (line: string) => mended("attention/softmax-twice", "p =", line);
  expect(once("p = self.drop(F.softmax(p, dim=-1))")).toBe("p = self.drop(p)");
  expect(once("p = p.softmax(-1)")).toBe("p = p");
  expect(once("p = F.softmax(q @ k, dim=-1)")).toBeNull();
  expect(once("p = a.softmax(-1) + b.softmax(-1)")).toBeNull();
});

test("keeps a gate, and takes a mean over what counts, where names say which", () => {
  const gate = (line: string) => mended("experts/constant-gate", "p =", line);
  expect(gate("p = p / p.sum(-1, keepdim=True)")).toBe("p = p");
  expect(gate("p = p / q.sum(-1, keepdim=True)")).toBeNull();
  expect(gate("p = t.softmax(-1)")).toBeNull();
  const mean = (line: string) =>
    mended("loss/masked-mean", "mean", `${line}\nreturn (l * mask).mean()`);
  expect(mean('l = F.cross_entropy(x, y, reduction="none")')).toContain(
    "return (l * mask).sum() / mask.sum()",
  );
  expect(mean("l = self.losses(x, y)")).toBeNull();
});

test("takes the root of what a norm divides by, and one over the root of what it multiplies with", () => {
  const mend = (line: string, power: number) => mended("norm/power", "mean", line, { power });
  expect(mend("return g * x / (x.pow(2).mean(-1, keepdim=True) + eps)", -1)).toBe(
    "return g * x / (x.pow(2).mean(-1, keepdim=True) + eps).sqrt()",
  );
  expect(mend("return x * torch.sqrt((x * x).mean(-1, True) + eps)", 2)).toBe(
    "return x * torch.rsqrt((x * x).mean(-1, True) + eps)",
  );
  expect(mend("return x * (1 / (x.pow(2).mean(-1) + eps)) / 2", -1)).toBeNull();
  expect(mend("return x / (x.mean(-1) + eps) ** 1", -1)).toBeNull();
});

test("leaves the factor of a stream out where it stands in the sum", () => {
  const mend = (line: string) => mended("block/scaled-stream", "0.5", line, { factor: 0.5 });
  expect(mend("x = 0.5 * x + self.attn(x)")).toBe("x = x + self.attn(x)");
  expect(mend("h = x * 0.5")).toBeNull();
});

test("multiplies capped scores, takes log_softmax, squeezes a column, where the line says all of it", () => {
  const cap = (line: string) => mended("attention/softcap", "s =", line);
  expect(cap("s = torch.tanh(s / self.cap)")).toBe("s = self.cap * torch.tanh(s / self.cap)");
  expect(cap("s = (s / 30).tanh()")).toBe("s = 30 * (s / 30).tanh()");
  expect(cap("s = torch.tanh(q @ k)")).toBeNull();
  const divergence = (line: string, from: number, to: number) =>
    mended("loss/divergence", "kl_div", line, { from, to });
  expect(divergence("return F.kl_div(x, p)", -2, 3)).toBe(
    "return F.kl_div(F.log_softmax(x, dim=-1), p)",
  );
  expect(divergence("return F.kl_div(F.softmax(x, dim=-1), p)", 0, 0.9)).toBe(
    "return F.kl_div(F.log_softmax(x, dim=-1), p)",
  );
  expect(divergence("return F.kl_div(x, p)", 0, 0.9)).toBeNull();
  const column = (line: string) =>
    mended("loss/shapes", "loss", line, { prediction: "[6, 1]", target: "[6]" });
  expect(column("loss = F.mse_loss(x, y)")).toBe("loss = F.mse_loss(x.squeeze(-1), y)");
  expect(column("loss = F.mse_loss(f(x), y)")).toBeNull();
});

/** Settings of OmegaConf: interpolations, merging, lists of words, YAML. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const interpolated = `import torch
from omegaconf import OmegaConf

OmegaConf.register_new_resolver("mul", lambda a, b: a * b)
text = """
width: 6
lr: 1e-3
layer: {heads: 2}
"""
cfg = OmegaConf.create(text)
given = {"layer": {"dim": "\${width}", "inner": "\${mul:\${width},2}", "name": "x_\${.dim}", "sizes": [1, "\${..width}"]}}
cfg = OmegaConf.merge(cfg, given, OmegaConf.from_dotlist(["width=8", "optim.betas=[0.9,0.99]"]))

def build():
    assert (cfg.layer.dim, cfg.layer.inner, cfg.layer.name, cfg.layer.sizes[1]) == (8, 16, "x_8", 8)
    assert {**cfg.layer}["dim"] == 8 and cfg.lr == 0.001 and cfg.optim.betas == [0.9, 0.99]
    assert OmegaConf.to_container(cfg)["layer"]["dim"] == "\${width}"
    assert OmegaConf.select(cfg, "layer.heads") == 2 and OmegaConf.select(cfg, "layer.none") is None
    assert OmegaConf.to_yaml(cfg.optim) == "betas:\\n- 0.9\\n- 0.99\\n"
    cfg.width = 4
    return torch.nn.Linear(cfg.layer.dim, cfg.layer.inner)

def step(model):
    return model(torch.ones(1, 4)).pow(2).mean()
`;

test("settings of OmegaConf stand for others, and come from lists of words", async () => {
  const { loss } = await runFiles({ "model.py": interpolated }, "model.py", null);
  expect(loss).toBeGreaterThan(0);
});

/** What model files import of diffusers beside its layers: pipelines, schedulers, and weights that a run has not. */
import { expect, test } from "vitest";
import { runFiles } from "./runFiles.ts";

const source = `import torch
from diffusers import AutoencoderKL, ConfigMixin, DDPMScheduler, ModelMixin, StableDiffusionPipeline
from diffusers.configuration_utils import register_to_config
from diffusers.models.unets.unet_2d_blocks import UNetMidBlock2D
from diffusers.pipelines.pipeline_utils import DiffusionPipeline
from diffusers.utils import export_to_video, is_peft_available, is_xformers_available

class Model(ModelMixin, ConfigMixin):
    @register_to_config
    def __init__(self, width=4):
        super().__init__()
        self.a = torch.nn.Linear(self.config.width, 1)

    def forward(self, x):
        return self.a(x)

class Pipeline(DiffusionPipeline):
    def __call__(self, latents: AutoencoderKL):
        return export_to_video(latents)

def build():
    assert not is_peft_available() and not is_xformers_available()
    return Model(5)

def step(model):
    return model(torch.ones(2, 5)).sum() if len(USED) == 0 else USED[0]()

USED = []
`;

const run = (used: string) => {
  const text = source.replace("USED = []", `USED = [${used}]`);
  return runFiles({ "model.py": text }, "model.py", null);
};

test("they can be imported, and derived from", async () => {
  expect((await run("")).loss).toBeTypeOf("number");
});

test.each([
  ["DDPMScheduler()", "diffusers.DDPMScheduler is not supported"],
  ["AutoencoderKL.from_config({})", "diffusers.AutoencoderKL.from_config is not supported"],
  ["UNetMidBlock2D(4, 4)", "unet_2d_blocks.UNetMidBlock2D is not supported"],
  ["Model.from_pretrained('a/b')", "Model.from_pretrained: no weights are downloaded"],
])("%s is refused where it is used", async (used, message) => {
  await expect(run(`lambda: ${used}`)).rejects.toThrow(message);
});

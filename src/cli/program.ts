/** The commands of `normscope`, their arguments and options. */
import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { NormscopeError } from "../errors.ts";
import { statisticNames } from "../present/check/baseline.ts";
import { pythonLiteral } from "../present/literal.ts";
import { type Device, devices, type InputSpec, modes } from "../protocol/engine.ts";
import { limitNames } from "../protocol/limitNames.ts";
import { placements } from "../protocol/rewrite.ts";
import { type CheckOptions, check } from "./commands/check.ts";
import { type CompareOptions, compareCommand } from "./commands/compare.ts";
import { demo } from "./commands/demo.ts";
import { doctor } from "./commands/doctor.ts";
import { type ExportOptions, exportCommand } from "./commands/export.ts";
import { type ModelsOptions, models } from "./commands/models.ts";
import { type RewriteOptions, rewrite } from "./commands/rewrite.ts";
import { type RunOptions, run } from "./commands/run.ts";
import { type InstallOptions, installDevice } from "./commands/setup.ts";
import { type SurveyOptions, survey } from "./commands/survey.ts";
import type { Context } from "./context.ts";
import { inputSpec } from "./inputSpec.ts";
import { addTrainingCommands } from "./training/commands.ts";
import { trainingOptions } from "./training/trainOptions.ts";

interface DoctorOptions extends SurveyOptions, InstallOptions {
  readonly install?: "cuda";
}

export function createProgram(context: Context): Command {
  const program = new Command("normscope")
    .description("Activation and gradient statistics of a PyTorch transformer, per block and line")
    .version(packageJson.version)
    .exitOverride()
    .showHelpAfterError("(normscope --help lists the commands and options)")
    .configureOutput({
      writeOut: (text) => context.out.write(text),
      writeErr: (text) => context.err.write(text),
      getOutHelpWidth: () => context.out.columns,
      getErrHelpWidth: () => context.err.columns,
    });

  program.hook("preAction", (_, command) => checkOutputs(context, command.opts()));

  const target = "FILE:CLASS, a script with build() and step(model), or an ONNX file";

  findingCommand(
    modelCommand(program.command("run").description("Run a model and show its numbers")),
  )
    .argument("<model>", target)
    .option("--keep-going", "show what comes before a call that is not supported", false)
    .addHelpText("after", "\nnormscope run models/pre_ln.py:PreLNTransformer --set n_layers=24")
    .action((model: string, options: RunOptions) => run(context, model, options));

  findingCommand(
    modelCommand(
      program.command("compare").description("Show two models side by side"),
      new Option("--device <device>", "where to run; of two, as in cuda,cpu, the agreement")
        .argParser(devicePair)
        .default(["auto"], "auto"),
    ),
  )
    .argument("<a>", `${target}, or a report that --json saved`)
    .argument("[b]", "the same; the first once more where --weights names two checkpoints")
    .option("--over <argument>", "the first at each of an argument's choices, or norm=a,b,c")
    .addHelpText(
      "after",
      "\nnormscope compare gpt.py:GPT --weights init,trained.safetensors  (init: as the seed makes them)",
    )
    .action((a: string, b: string | undefined, options: CompareOptions) =>
      compareCommand(context, [a, b ?? null], options),
    );

  trainingOptions(
    checkCommand(
      findingCommand(
        modelCommand(
          program.command("check").description("Fail on new findings and changed numbers"),
        ),
      ),
    ).option("--train", "train it too, as train would by these options, for its findings", false),
  )
    .argument("<model>", target)
    .addHelpText(
      "after",
      "\nnormscope check gpt.py:GPT --baseline gpt.json --fail-on warning --github",
    )
    .action((model: string, options: CheckOptions) => check(context, model, options));

  modelCommand(program.command("export").description("Write a model as an ONNX file"))
    .argument("<model>", target)
    .requiredOption("--output <file>", "the file to write, NAME.onnx")
    .addOption(
      new Option("--storage <where>", "external: weights in a file beside it; auto: from 2 GB on")
        .choices(["inside", "external", "auto"])
        .default("auto"),
    )
    .option("--dynamic", "free batch and sequence axes", false)
    .option("--backward", "add the backward pass", false)
    .option("--statistics", "add the statistics", false)
    .action((model: string, options: ExportOptions) => exportCommand(context, model, options));

  modelCommand(program.command("rewrite").description("Move the norms of a file's blocks"))
    .argument("<file>", "FILE or FILE:CLASS, the class of a block or of the model")
    .addOption(
      new Option("--to <placement>", "rms: RMSNorm where LayerNorm is")
        .choices(placements)
        .makeOptionMandatory(),
    )
    .option("--write", "edit the file itself")
    .option("--output <file>", "write the edited text there")
    .option("--compare", "run the model as it is and as edited, side by side")
    .action((file: string, options: RewriteOptions) => rewrite(context, file, options));
  addTrainingCommands(
    program,
    context,
    { model: modelCommand, output: outputCommand, finding: findingCommand },
    readable,
  );

  outputCommand(program.command("models").description("List the model files of a folder"))
    .argument("[folder]", "the models that come with Normscope by default")
    .option("--count [name]", "the parameters of every preset (of NAME), without memory for them")
    .action((folder: string | undefined, options: ModelsOptions) =>
      models(context, folder ?? null, options),
    );

  outputCommand(program.command("doctor"))
    .description(
      "Show versions, devices and memory; of a FILE, what can be read without running it",
    )
    .argument("[file]", "a Python file")
    .option("--root <folder>", "the workspace that the file belongs to")
    .option("--packages <folder>", "a folder with pure-Python packages")
    .addOption(new Option("--install <device>", "set a device up").choices(["cuda"]))
    .option("--from <path>", "a wheel or folder with the CUDA provider, instead of a download")
    .option("--dry-run", "show what would be set up", false)
    .option("--yes", "set it up without asking", false)
    .option("--force", "set it up without a driver, for another machine", false)
    .action((file: string | undefined, options: DoctorOptions) => {
      if (options.install !== undefined) return installDevice(context, options);
      return file === undefined ? doctor(context, options) : survey(context, file, options);
    });

  deviceCommand(program.command("demo", { hidden: true })).action((options) =>
    demo(context, options),
  );

  return program;
}

/** Options that name a file to write, and those that name a folder for several. */
const outputOptions = ["json", "html", "csv", "sarif", "junit", "output"] as const;
const folderOptions = ["tensorboard", "bundle"] as const;

/** What cannot be written is told before a run, not after it. */
function checkOutputs({ cwd, files }: Context, options: Readonly<Record<string, unknown>>): void {
  const named = (names: readonly string[]) =>
    names.map((name) => options[name]).filter((path) => typeof path === "string");
  for (const path of named(outputOptions)) if (path !== "-") files.check(resolve(cwd, path));
  for (const folder of named(folderOptions)) files.check(resolve(cwd, folder, "file"));
}

const modelCommand = (command: Command, device = deviceOption()): Command =>
  outputCommand(deviceCommand(command, device))
    .option("--force", "run it even where memory will not suffice", false)
    .addOption(
      new Option("--set <name=value>", "a constructor argument (repeatable)")
        .argParser(collectSetting)
        .default({}, "none"),
    )
    .option("--preset <name>", "a name in the file's PRESETS: gpt2-medium (see normscope models)")
    .addOption(
      new Option("--input <spec>", "idx=int64[2,64]<256 instead of the inferred input (repeatable)")
        .argParser(collectInput)
        .default([], "inferred"),
    )
    .option("--loss <expression>", "a Python expression instead of the inferred loss")
    .addOption(new Option("--mode <mode>", "train: with dropout").choices(modes))
    .option("--weights <file>", "a checkpoint (safetensors, torch.save, .npz), or its folder")
    .option("--weights-prefix <prefix>", "what names in the checkpoint begin with: module.")
    .option("--no-strict", "load the names of the checkpoint that agree")
    .option("--tokens <file>", "inputs from a text, .bin of uint16 or .npy, instead of made up")
    .option("--tokenizer <file>", "the tokenizer.json that divides the text; else its bytes")
    .option(
      "--root <folder>",
      "the workspace that the code may read (default: where the imports start)",
    )
    .option("--packages <folder>", "a folder with pure-Python packages");

/** For commands that tell findings. */
const findingCommand = (command: Command): Command =>
  command
    .addOption(
      new Option("--limit <name=value>", "a threshold of findings (repeatable)")
        .argParser(collectLimit)
        .default({}, "those of docs/findings.md"),
    )
    .addOption(
      new Option("--ignore <code>", "a finding that is not shown (repeatable)")
        .argParser((code: string, previous: readonly string[]) => [...previous, code])
        .default([], "none"),
    );

const checkCommand = (command: Command): Command =>
  command
    .option("--baseline <file>", "numbers and findings to compare with")
    .option("--update", "write the baseline instead of comparing with it", false)
    .addOption(
      new Option("--fail-on <severity>", "the least grave new finding that fails")
        .choices(["information", "warning", "error", "never"])
        .default("warning"),
    )
    .addOption(
      new Option(
        "--tolerance <name=value>",
        "relative, of loss, forward, gradient, or forward.mean, .std, .max, .zeros (repeatable)",
      )
        .argParser(collectTolerance)
        .default({}, "0.001, 0.001, 0.01"),
    )
    .option("--sarif <file>", "write the result as SARIF 2.1.0")
    .option("--junit <file>", "write the result as JUnit XML")
    .option("--github", "print annotations for GitHub's workflows", false);

const deviceOption = (): Option =>
  new Option("--device <device>", "where to run").choices(devices).default("auto");

const deviceCommand = (command: Command, device = deviceOption()): Command =>
  command.addOption(device).option("--seed <n>", "for weights and inputs", wholeNumber, 0);

const outputCommand = (command: Command): Command =>
  command
    .option("--json <file>", "write the report as JSON; - is stdout")
    .option("--html <file>", "write the report as one self-contained page");

function devicePair(text: string): readonly Device[] {
  const names = text.split(",");
  const found = names.flatMap((name) => devices.filter((device) => device === name));
  if (found.length === names.length && names.length <= 2) return found;
  throw new InvalidArgumentError(`Allowed are one or two of ${devices.join(", ")}.`);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  throw new InvalidArgumentError("A whole number is needed.");
}

function collectSetting(
  text: string,
  previous: Readonly<Record<string, string>>,
): Record<string, string> {
  const [, name, value = ""] = /^([A-Za-z_]\w*)=([\s\S]*)$/.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError("Write name=value.");
  return { ...previous, [name]: readable(() => pythonLiteral(value)) };
}

function collectTolerance(
  text: string,
  previous: Readonly<Record<string, number>>,
): Record<string, number> {
  const [, name = "", value = ""] = /^([a-z.]+)=(.+)$/.exec(text) ?? [];
  if (!statisticNames.includes(name) || !(Number(value) >= 0))
    throw new InvalidArgumentError(`Write name=number, with one of ${statisticNames.join(", ")}.`);
  return { ...previous, [name]: Number(value) };
}

function collectLimit(
  text: string,
  previous: Readonly<Record<string, number>>,
): Record<string, number> {
  const [, name, value = ""] = /^([a-zA-Z]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || !limitNames.includes(name) || !Number.isFinite(Number(value)))
    throw new InvalidArgumentError(`Write name=number, with one of ${limitNames.join(", ")}.`);
  return { ...previous, [name]: Number(value) };
}

const collectInput = (text: string, previous: readonly InputSpec[]): InputSpec[] => [
  ...previous,
  readable(() => inputSpec(text)),
];

/** What one of our readers refuses, in the form in which commander names the option. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof NormscopeError)) throw error;
    throw new InvalidArgumentError([error.message, error.hint ?? ""].join(". "));
  }
}

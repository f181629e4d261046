/** The command line as tasks: the one that comes with the extension, on the editor's own Node. */
import {
  type Disposable,
  l10n,
  ProcessExecution,
  Task,
  type TaskDefinition,
  TaskScope,
  tasks,
  Uri,
  type WorkspaceFolder,
  workspace,
} from "vscode";
import type { Ctx } from "./context.ts";

interface NormscopeTask extends TaskDefinition {
  readonly command?: string;
  readonly targets?: readonly string[];
  readonly args?: readonly string[];
}

export function registerTasks({ extension }: Ctx): Disposable[] {
  const program = Uri.joinPath(extension.extensionUri, "dist", "cli.mjs").fsPath;
  const make = (definition: NormscopeTask, scope: WorkspaceFolder | TaskScope): Task => {
    const { command = "doctor", targets = [], args = [] } = definition;
    const words = [program, command, ...targets, ...args];
    const env = { ELECTRON_RUN_AS_NODE: "1" };
    const execution = new ProcessExecution(process.execPath, words, { env });
    const name = [command, ...targets].join(" ");
    return new Task(definition, scope, name, "normscope", execution, "$normscope");
  };
  const provider = {
    provideTasks(): Task[] {
      const made = make({ type: "normscope", command: "doctor" }, TaskScope.Workspace);
      made.detail = l10n.t("Which devices work, and what the others lack");
      return [made];
    },
    resolveTask: (task: Task): Task =>
      make(task.definition, isFolder(task.scope) ? task.scope : TaskScope.Workspace),
  };
  return workspace.workspaceFolders === undefined
    ? []
    : [tasks.registerTaskProvider("normscope", provider)];
}

const isFolder = (scope: Task["scope"]): scope is WorkspaceFolder => typeof scope === "object";

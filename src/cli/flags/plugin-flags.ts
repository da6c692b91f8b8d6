import { existsSync } from "node:fs";
import { type Command, Option } from "commander";
import { agentPath } from "../../graph/agents/experiment-agent.ts";
import { loadNamedPlugin, loadPlugins, pluginFilesOf } from "../../graph/code/named-plugins.ts";
import { loadPluginsOfRun, runAround } from "../../graph/code/run-code.ts";
import { readSource } from "../../graph/yaml-source.ts";
import { type AllowCodeFlag, allowCodeOption, permitByUser } from "../permit-code.ts";

/** The flag of commands that need no experiment file. */
export interface PluginFlag {
  readonly plugin: readonly string[];
}

/** Adds the flag that names plug-ins. */
export function pluginOption(command: Command): Command {
  return command.addOption(
    new Option(
      "--plugin <file>",
      "load this plug-in, a file of your own or a package; to name it here allows it; may be repeated",
    )
      .argParser((value, all: string[]) => [...all, value])
      .default([], "none"),
  );
}

/** Adds the flags of commands that load the plug-ins of runs and agents. */
export function pluginOptions(command: Command): Command {
  return allowCodeOption(pluginOption(command));
}

/** Loads the plug-ins that the user has named on the command line. Throws PluginInvalid. */
export function loadNamed({ plugin }: PluginFlag): void {
  for (const given of plugin) loadNamedPlugin(given);
}

/**
 * Loads the plug-ins that the user has named, and after a permission those of the runs that paths are in, and those of the
 * experiment that an agent is read from. Throws CodeNotAllowed, PluginInvalid.
 */
export async function loadPluginsFor(
  flags: PluginFlag & AllowCodeFlag,
  { agent, paths = [] }: { readonly agent?: string; readonly paths?: readonly string[] },
): Promise<void> {
  loadNamed(flags);
  const permit = permitByUser(flags);
  for (const run of new Set(paths.map(runAround))) if (run !== undefined) await loadPluginsOfRun(run, permit);
  if (agent === undefined || agent.trimStart().startsWith("{")) return;
  const { file } = agentPath(agent);
  // What is wrong with the file is reported by what reads the agent.
  if (!existsSync(file)) return;
  await loadPlugins(pluginFilesOf(readSource(file)).files, file, permit);
}

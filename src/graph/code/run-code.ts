import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { MANIFEST, openRunFolder } from "../folder/run-folder.ts";
import { loadPermittedPlugins, loadPlugins } from "./named-plugins.ts";
import type { Permit } from "./permission.ts";

/** The folder of the run that a path is in or is; undefined for paths outside of runs. */
export function runAround(path: string): string | undefined {
  for (let folder = resolve(path), deeper = ""; folder !== deeper; deeper = folder, folder = dirname(folder))
    if (existsSync(join(folder, MANIFEST))) return folder;
  return undefined;
}

/** Loads the plug-ins of a run, after `permit` has decided. Throws RunFolderInvalid, CodeNotAllowed, PluginInvalid. */
export async function loadPluginsOfRun(folder: string, permit: Permit): Promise<void> {
  await loadPlugins(openRunFolder(folder).experiment.plugins ?? [], folder, permit);
}

/** Loads the plug-ins of a run that may be loaded; returns the rest. Throws RunFolderInvalid, PluginInvalid. */
export async function loadPermittedPluginsOfRun(folder: string, permit: Permit): Promise<readonly string[]> {
  return await loadPermittedPlugins(openRunFolder(folder).experiment.plugins ?? [], folder, permit);
}

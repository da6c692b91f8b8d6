import type { Permit } from "./code/permission.ts";
import { loadPermittedPlugins, loadPlugins, pluginFilesOf } from "./code/named-plugins.ts";
import { checkSource, type ExperimentFile } from "./experiment-file.ts";
import { readSource, type Source } from "./yaml-source.ts";

/**
 * Reads an experiment file as `readExperiment` does, after its plug-ins were loaded: `permit` decides about them before any of
 * their code runs. Throws ExperimentInvalid, CodeNotAllowed, PluginInvalid.
 */
export async function readPermitted(
  file: string,
  set: readonly string[],
  permit: Permit,
): Promise<ExperimentFile> {
  return await checkPermitted(readSource(file, set), permit);
}

/** Does to a source what `readPermitted` does to a file. */
export async function checkPermitted(source: Source, permit: Permit): Promise<ExperimentFile> {
  // A plug-in that does not exist is a mistake in the file like others.
  const { files, problems } = pluginFilesOf(source);
  if (problems.length === 0) await loadPlugins(files, source.file, permit);
  return checkSource(source);
}

/**
 * Reads an experiment file as `readPermitted` does, but without the plug-ins that may not be loaded: `notLoaded` and `unchecked`
 * list them. Throws ExperimentInvalid, PluginInvalid.
 */
export async function readKnown(
  file: string,
  set: readonly string[],
  permit: Permit,
): Promise<ExperimentFile> {
  return await checkKnown(readSource(file, set), permit);
}

/** Does to a source what `readKnown` does to a file. */
export async function checkKnown(source: Source, permit: Permit): Promise<ExperimentFile> {
  const { files, problems } = pluginFilesOf(source);
  if (problems.length === 0) await loadPermittedPlugins(files, source.file, permit);
  return checkSource(source);
}

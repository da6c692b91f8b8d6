import { existsSync } from "node:fs";
import type { Experiment } from "../../operators/experiment/open-experiment.ts";
import { loadedPlugins, type LoadedPlugin } from "../../plugins/load-plugins.ts";
import { changedParts, type ModuleFiles, moduleFilesOf } from "../../plugins/module-files.ts";

/** A plug-in as the manifest of a run keeps it: what code it was, and not the code. */
export interface RunPlugin extends Pick<LoadedPlugin, "file" | "defines" | "sha256" | "files"> {
  readonly packages: readonly { readonly name: string; readonly version: string; readonly sha256: string }[];
}

/** What a manifest records about the plug-ins of its run. */
export interface RunPlugins {
  /** Those of the newest part of the run; absent: it has none. */
  readonly plugins?: readonly RunPlugin[];
  /** When the run continued with plug-ins that had changed: those before, and until when (UTC, ISO 8601). */
  readonly earlierPlugins?: readonly { readonly until: string; readonly plugins: readonly RunPlugin[] }[];
}

/** The plug-ins of an experiment as this process has loaded them. */
export function pluginsOfRun({ plugins = [] }: Experiment): RunPlugins {
  if (plugins.length === 0) return {};
  const named = loadedPlugins().filter(({ file }) => plugins.includes(file));
  return {
    plugins: named.map(({ file, defines, sha256, files, packages }) => ({
      file,
      defines,
      sha256,
      files,
      packages: packages.map(({ name, version, sha256: hash }) => ({ name, version, sha256: hash })),
    })),
  };
}

/** The files and packages in which the plug-ins of a run differ from what is there now. None of their code runs. */
export function changedPlugins({ plugins = [] }: RunPlugins): string[] {
  const parts = plugins.flatMap((before) => {
    if (!existsSync(before.file)) return [`${before.file} (it is gone)`];
    const now: ModuleFiles = moduleFilesOf(before.file);
    return before.sha256 === now.sha256 ? [] : changedParts(before, now);
  });
  return [...new Set(parts)];
}

/** The reason why a run that continued with changed plug-ins is not a function of its file. */
export const PLUGINS_CHANGED = "its plug-ins have changed while it went on";

/** Why the results of a run may not follow from the plug-ins that are there now; none if they do. */
export function pluginExcuses(run: RunPlugins): string[] {
  const changed = changedPlugins(run);
  return [
    ...((run.earlierPlugins ?? []).length > 0 ? [PLUGINS_CHANGED] : []),
    ...(changed.length > 0 ? [`its plug-ins have changed since: ${changed.join(", ")}`] : []),
  ];
}

import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, findPackageJSON } from "node:module";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { type LoadedPlugin, loadedPlugins, loadPlugin, PluginInvalid } from "../../plugins/load-plugins.ts";
import type { Problem } from "../problem.ts";
import { nearestPlace, problemAt } from "../source-problem.ts";
import { escapePointer, type Source } from "../yaml-source.ts";
import { type OutsideCode, pluginCode } from "./outside-code.ts";
import { CodeNotAllowed, notAllowed, type Permit } from "./permission.ts";

/** The plug-ins that an experiment names. */
export interface PluginNames {
  /** Absolute paths. */
  readonly files: readonly string[];
  /** Those that this process has not loaded. */
  readonly notLoaded: readonly string[];
  /** Entries that lead to no file. */
  readonly problems: readonly Problem[];
}

/** Finds the plug-ins of an experiment, without running them, and writes absolute paths in place of what the file says. */
export function takePlugins(value: Record<string, unknown>, source: Source): PluginNames {
  const given = value["plugins"];
  // The schema reports what is wrong with it.
  if (!Array.isArray(given) || !given.every((each) => typeof each === "string" && each !== ""))
    return { files: [], notLoaded: [], problems: [] };
  const problems: Problem[] = [];
  const files = given.map((each: string, i) => {
    const folder = nearestPlace(source, `/plugins/${i}`)?.place.folder ?? ".";
    const found = pluginFile(each, resolve(folder));
    if ("file" in found) return found.file;
    problems.push(problemAt(source, `/plugins/${i}`, found.wrong));
    return resolve(folder, each);
  });
  value["plugins"] = files;
  const known = new Set(loadedPlugins().map(({ file }) => file));
  return { files, notLoaded: files.filter((file) => !known.has(file)), problems };
}

/** The plug-ins that a source names, found without running them. */
export function pluginFilesOf(source: Source): PluginNames {
  return takePlugins({ plugins: source.value["plugins"] }, source);
}

/** The file of a plug-in that is named in a folder: a path, or a package. */
function pluginFile(given: string, folder: string): { readonly file: string } | { readonly wrong: string } {
  if (/^\.{1,2}[\\/]/.test(given) || isAbsolute(given)) {
    const path = resolve(folder, given);
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return { file: realpathSync(path) };
    return {
      wrong: existsSync(path) ? `"${path}" is a folder; name a file in it` : `no such file "${path}"`,
    };
  }
  if (existsSync(join(folder, given)))
    return { wrong: `"${given}" is the name of a package; a file beside this one is written ./${given}` };
  return packageFile(given, folder);
}

/** The file of an installed package that is imported by its name. */
function packageFile(name: string, folder: string): { readonly file: string } | { readonly wrong: string } {
  // A file there need not exist: its folder counts.
  const from = join(folder, "experiment.yaml");
  try {
    return { file: realpathSync(createRequire(from).resolve(name)) };
  } catch {
    const file = importedFile(name, from);
    if (file !== undefined) return { file: realpathSync(file) };
    return {
      wrong: /\.[cm]?[jt]s$/.test(name)
        ? `there is no package "${name}" in ${folder} or above; a file beside this one is written ./${name}`
        : `no package "${name}" is installed in ${folder} or above; npm install ${name}, or write ./FILE for a file`,
    };
  }
}

/** The file of a package that can be imported and not required: its `exports` have the condition `import` alone. */
function importedFile(name: string, from: string): string | undefined {
  try {
    const manifest = findPackageJSON(name, from)!;
    const { exports } = JSON.parse(readFileSync(manifest, "utf8")) as { readonly exports?: unknown };
    const target = importTarget((exports as { readonly "."?: unknown } | undefined)?.["."] ?? exports);
    return target === undefined ? undefined : join(dirname(manifest), target);
  } catch {
    return undefined;
  }
}

function importTarget(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (typeof target !== "object" || target === null) return undefined;
  const conditions = target as Readonly<Record<string, unknown>>;
  for (const condition of ["node", "import", "default"])
    if (condition in conditions) return importTarget(conditions[condition]);
  return undefined;
}

/** The problems of names that are defined by plug-ins which this process has loaded for other files. */
export function definedOutside(
  value: Readonly<Record<string, unknown>>,
  files: readonly string[],
  source: Source,
): Problem[] {
  const others = loadedPlugins().filter(({ file }) => !files.includes(file));
  if (others.length === 0) return [];
  const problems: Problem[] = [];
  const look = (kind: string, at: string, named: unknown) => {
    const other = others.find(({ defines }) =>
      defines.some((each) => each.kind === kind && each.name === named),
    );
    if (other !== undefined)
      problems.push(
        problemAt(
          source,
          at,
          `the ${kind} "${String(named)}" is defined by ${other.file}, which this file does not name under plugins`,
        ),
      );
  };
  look("game", "/game/rules", (value["game"] as { readonly rules?: unknown } | undefined)?.rules);
  for (const [part, kind] of [
    ["nets", "net"],
    ["agents", "search"],
    ["graph", "stage"],
  ] as const)
    for (const [name, entry] of Object.entries((value[part] ?? {}) as Readonly<Record<string, unknown>>))
      look(
        kind,
        `/${part}/${escapePointer(name)}/use`,
        (entry as { readonly use?: unknown } | undefined | null)?.use,
      );
  return problems;
}

/** Paths of plug-ins that the user, or a program of the user's, has named itself. */
const namedByUser = new Set<string>();

/**
 * Loads a plug-in that the user names outside of any experiment: a path, or a package. To name it allows it, for as long as this
 * process lives. Throws PluginInvalid.
 */
export function loadNamedPlugin(given: string): LoadedPlugin {
  const found =
    statSync(given, { throwIfNoEntry: false })?.isFile() === true
      ? { file: resolve(given) }
      : pluginFile(given, process.cwd());
  if ("wrong" in found) throw new PluginInvalid(given, `plug-in ${given}: ${found.wrong}`);
  const plugin = loadPlugin(found.file);
  namedByUser.add(plugin.file);
  return plugin;
}

/**
 * Loads plug-ins, after `permit` has decided about them: also about those that are loaded already, because a permission may
 * have been for one call. `where` names what names them. Throws CodeNotAllowed, PluginInvalid.
 */
export async function loadPlugins(files: readonly string[], where: string, permit: Permit): Promise<void> {
  const code = codeOf(files, where);
  if (code.size > 0) await permit([...code.values()]);
  for (const file of files) loadPlugin(file);
}

/** Loads plug-ins that this process has loaded, or the user has allowed, before. Throws CodeNotAllowed, PluginInvalid. */
export function loadAllowedPlugins(files: readonly string[], where: string): void {
  const known = new Set(loadedPlugins().map(({ file }) => file));
  const others = files.filter((file) => !known.has(file));
  const refused = notAllowed([...codeOf(others, where).values()]);
  if (refused.length > 0) throw new CodeNotAllowed(refused);
  for (const file of files) loadPlugin(file);
}

/**
 * Loads those plug-ins that exist and that `permit` permits; returns the rest. For commands that also report what does not
 * depend on them. Throws PluginInvalid.
 */
export async function loadPermittedPlugins(
  files: readonly string[],
  where: string,
  permit: Permit,
): Promise<readonly string[]> {
  const present = files.filter((file) => existsSync(file));
  const code = codeOf(present, where);
  let refused: readonly OutsideCode[] = [];
  try {
    if (code.size > 0) await permit([...code.values()]);
  } catch (error) {
    if (!(error instanceof CodeNotAllowed)) throw error;
    refused = notAllowed([...code.values()]);
  }
  const loads = (file: string) => present.includes(file) && !refused.includes(code.get(file)!);
  for (const file of files) if (loads(file)) loadPlugin(file);
  return files.filter((file) => !loads(file));
}

/** By file: the code of the plug-ins that the user has not named. */
function codeOf(files: readonly string[], where: string): ReadonlyMap<string, OutsideCode> {
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined)
    throw new PluginInvalid(missing, `${where}: the plug-in ${missing} is gone: put the file back`);
  return new Map(
    files.filter((file) => !namedByUser.has(file)).map((file) => [file, pluginCode(file, where)]),
  );
}

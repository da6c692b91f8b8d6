import { moduleBeside } from "../module-beside.ts";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { isDefinitionInvalid } from "../definitions/assert-definition.ts";
import { type DefinitionKind, defined } from "../definitions/definition.ts";
import type { GameDefinition } from "../games/game-definition.ts";
import { addGame, games } from "../games/registry.ts";
import { agentKinds } from "../operators/experiment/agent-kinds.ts";
import { addOperator, operators, services } from "../operators/registry.ts";
import type { NetDefinition } from "../models/definition.ts";
import { addNet, nets } from "../models/registry.ts";
import type { SearchDefinition } from "../search/definition.ts";
import { addSearch } from "../search/registry.ts";
import { prepareThreads } from "../workers/thread-preparation.ts";
import { missingImport } from "./missing-import.ts";
import { type ModuleFiles, moduleFilesOf } from "./module-files.ts";
import { allowModules } from "./module-hooks.ts";
import type { StageDescription } from "./stage-description.ts";
import { stageOperator } from "./stage-operator.ts";

/** A plug-in cannot be used. The message says where in its code, what is wrong, and what to do. */
export class PluginInvalid extends Error {
  readonly _tag = "PluginInvalid";
  readonly file: string;

  constructor(file: string, message: string) {
    super(message);
    this.name = "PluginInvalid";
    this.file = file;
  }
}

/** A plug-in that was loaded in this thread: its code, and what it defines. */
export interface LoadedPlugin extends ModuleFiles {
  readonly defines: readonly { readonly kind: DefinitionKind; readonly name: string }[];
}

/** The plug-ins of a thread, as the thread that starts it has loaded them. */
export type ThreadPlugins = readonly Pick<LoadedPlugin, "file" | "sha256">[];

/** The path of all sources of this package, as URLs have it. */
const sources = new URL("../", import.meta.url).pathname;

/** By path. */
const loaded = new Map<string, LoadedPlugin>();

/** The plug-ins of this thread, in the order in which they were loaded. */
export function loadedPlugins(): readonly LoadedPlugin[] {
  return [...loaded.values()];
}

/**
 * Loads a plug-in once in this thread: runs its code, and adds what it defines to the games, searches and nets that files can
 * name. It is a module whose default export was made by `defineGame` and its like, or a list of such. Threads that are started
 * from now on load it too, before all else. Throws PluginInvalid.
 */
export function loadPlugin(path: string): LoadedPlugin {
  if (!existsSync(path)) throw new PluginInvalid(path, `no such file "${path}"`);
  const code = moduleFilesOf(path);
  const { file } = code;
  const known = loaded.get(file);
  if (known !== undefined) return unchanged(known, code);
  allowModules(code);
  const made = definitionsOf(file, run(file));
  for (const { kind, name } of made) refuseTaken(file, kind, name);
  for (const { kind, made: definition } of made) registries[kind].add(definition);
  const plugin = { ...code, defines: made.map(({ kind, name }) => ({ kind, name })) };
  loaded.set(file, plugin);
  prepareThreads({
    module: moduleBeside("prepare-thread", import.meta.url).href,
    argument: loadedPlugins().map(({ file: each, sha256 }) => ({
      file: each,
      sha256,
    })) satisfies ThreadPlugins,
  });
  return plugin;
}

/** What was loaded stays: code cannot be loaded again in a process. */
function unchanged(known: LoadedPlugin, { file, sha256 }: ModuleFiles): LoadedPlugin {
  if (known.sha256 === sha256) return known;
  throw new PluginInvalid(
    file,
    `${file}: it, or a file that it imports, has changed since the command began; start the command again`,
  );
}

function run(file: string): unknown {
  try {
    return createRequire(import.meta.url)(file);
  } catch (error) {
    throw new PluginInvalid(file, explained(file, error));
  }
}

/** What each error of Node means, and what to do. */
const remedies: Readonly<Record<string, string>> = {
  ERR_REQUIRE_ASYNC_MODULE: "a plug-in is loaded at once: it has no await outside of functions",
  ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX:
    "types are stripped, and no code is made of them: in place of an enum write constants, in place of a namespace a module, in place of parameter properties fields",
};

function explained(file: string, error: unknown): string {
  if (!(error instanceof Error)) return `${file}: it threw ${String(error)}`;
  if (isDefinitionInvalid(error))
    return error.problems.map((problem) => `${placeOf(file, error)}: ${problem}`).join("\n");
  const missing = missingImport(error);
  if (missing !== undefined) return missing;
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message.split("\n")[0]!;
  const remedy = remedies[code ?? ""];
  if (code === "ERR_REQUIRE_ASYNC_MODULE") return `${file}: ${remedy}`;
  return `${placeOf(file, error)}: ${message}${remedy === undefined ? "" : `; ${remedy}`}`;
}

/** `file:line:column` of an error: mistakes in the syntax have it before the message, others in the stack below. */
function placeOf(file: string, { stack = "" }: Error): string {
  const place = /^file:\/\/(\/[^\n]*?:\d+)$/m.exec(stack) ?? /\bfile:\/\/(\/[^\s)]*?:\d+:\d+)/.exec(stack);
  const internal = place === null || place[1]!.startsWith(sources);
  return internal ? file : decodeURI(place[1]!);
}

/** Where definitions of each kind go, and the names that are taken there. */
const registries: Readonly<
  Record<DefinitionKind, { names(): readonly string[]; add(definition: unknown): void }>
> = {
  game: {
    names: () => games.map(({ name }) => name),
    add: (definition) => addGame(definition as GameDefinition),
  },
  net: {
    names: () => nets.map(({ name }) => name),
    add: (definition) => addNet(definition as NetDefinition),
  },
  stage: {
    names: () => [...operators, ...services].map(({ use }) => use),
    add: (definition) => addOperator(stageOperator(definition as StageDescription<any, any>)),
  },
  search: {
    names: () => agentKinds().map(({ name }) => name),
    add: (definition) => addSearch(definition as SearchDefinition),
  },
};

interface Made {
  readonly kind: DefinitionKind;
  readonly name: string;
  readonly made: unknown;
}

function definitionsOf(file: string, module: unknown): readonly Made[] {
  const given: unknown = (Object(module) as { readonly default?: unknown }).default;
  if (given === undefined)
    throw new PluginInvalid(
      file,
      `${file}: it has no default export; write export default defineGame({ ... })`,
    );
  return (Array.isArray(given) ? (given as readonly unknown[]) : [given]).map((each, i) => {
    const one = defined(each);
    if (one !== undefined) return one;
    const which = Array.isArray(given) ? `entry ${i + 1} of its default export` : "its default export";
    throw new PluginInvalid(
      file,
      `${file}: ${which} is not made by defineGame, defineNet, defineSearch or defineStage`,
    );
  });
}

function refuseTaken(file: string, kind: DefinitionKind, name: string): void {
  const other = loadedPlugins().find(({ defines }) =>
    defines.some((each) => each.kind === kind && each.name === name),
  );
  if (other !== undefined)
    throw new PluginInvalid(
      file,
      `${file}: the ${kind} "${name}" is defined by ${other.file} already; rename one`,
    );
  if (registries[kind].names().includes(name))
    throw new PluginInvalid(
      file,
      `${file}: ludoflow has a ${kind} "${name}" of its own; choose another name`,
    );
}

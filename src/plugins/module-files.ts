import { createHash } from "node:crypto";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { createRequire, findPackageJSON, isBuiltin } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { isPlainMap } from "../formats/plain-map.ts";
import { packageRoot } from "../package-root.ts";

/** A file that a plug-in consists of. */
export interface ModuleFile {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Of its bytes. */
  readonly sha256: string;
}

/** An installed package that a plug-in imports, or that it is. */
export interface ModulePackage {
  readonly name: string;
  readonly version: string;
  /** The module files of its folder, without the packages inside it. */
  readonly files: readonly ModuleFile[];
  /** Of all its files. */
  readonly sha256: string;
}

/** The code of a module: all that may be loaded for it. */
export interface ModuleFiles {
  /** The module. */
  readonly file: string;
  /** Files outside of packages, in the order of their paths. */
  readonly files: readonly ModuleFile[];
  /** In the order of their names. */
  readonly packages: readonly ModulePackage[];
  /** Of all of it: of the paths of the files relative to the folder of the module, and of the contents. */
  readonly sha256: string;
}

/** What a source imports or requires by a text that it holds. Comments may name more than is imported. */
const SPECIFIER = /\b(?:from|import|require)\b\s*\(?\s*(["'`])([^"'`\n$]+)\1/g;

/** Imports of types alone: they are stripped. */
const TYPES = /\b(?:import|export)\s+type\s+(?!from\b)[^"'`;]*\bfrom\s*["'][^"'\n]+["']/g;

/** The files of a package that can be loaded. */
const LOADABLE = /\.(?:[cm]?[jt]s|json|node|wasm)$/;

/**
 * The files that a module consists of, found by reading and not by running them: what it and the files that it imports name
 * by literal paths, and the packages that these name, with all packages that those depend on. What is missing is left
 * out. `ludoflow` and the modules of Node are not part of it.
 */
export function moduleFilesOf(path: string): ModuleFiles {
  const file = realpathSync(path);
  const files = new Map<string, ModuleFile>();
  const packages = new Map<string, ModulePackage>();
  const own = packageAround(file);
  if (own !== undefined) addPackage(own, packages);
  else addFile(file, files, packages);
  const found = {
    file,
    files: [...files.values()].toSorted(byPath),
    packages: [...packages.values()].toSorted((a, b) =>
      `${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1,
    ),
  };
  const hash = createHash("sha256");
  for (const { path: each, sha256 } of found.files)
    hash.update(`${relative(dirname(file), each)}\0${sha256}\n`);
  for (const { name, version, sha256 } of found.packages) hash.update(`${name}@${version}\0${sha256}\n`);
  return { ...found, sha256: hash.digest("hex") };
}

/** What has changed from the code of a module to other code of it: the paths of files, and packages with their versions. */
export function changedParts(
  before: Pick<ModuleFiles, "files"> & { readonly packages: readonly Omit<ModulePackage, "files">[] },
  after: ModuleFiles,
): string[] {
  const differing = (one: Readonly<Record<string, string>>, other: Readonly<Record<string, string>>) =>
    [...new Set([...Object.keys(one), ...Object.keys(other)])].filter((key) => one[key] !== other[key]);
  const hashes = (all: readonly ModuleFile[]) =>
    Object.fromEntries(all.map((each) => [each.path, each.sha256]));
  const versions = (all: readonly Omit<ModulePackage, "files">[]) =>
    Object.fromEntries(all.map((each) => [`package ${each.name} ${each.version}`, each.sha256]));
  return [
    ...differing(hashes(before.files), hashes(after.files)),
    ...differing(versions(before.packages), versions(after.packages)),
  ];
}

function addFile(file: string, files: Map<string, ModuleFile>, packages: Map<string, ModulePackage>): void {
  if (files.has(file)) return;
  const bytes = readFileSync(file);
  files.set(file, { path: file, sha256: sha256(bytes) });
  if (!/\.[cm]?[jt]s$/.test(file)) return;
  for (const [, , specifier] of bytes.toString("utf8").replaceAll(TYPES, "").matchAll(SPECIFIER)) {
    if (specifier!.startsWith(".") || specifier!.startsWith("/")) {
      const target = fileNamed(file, specifier!);
      if (target !== undefined) addFile(target, files, packages);
    } else if (!isBuiltin(specifier!) && specifier!.split("/")[0] !== "ludoflow") {
      const folder = packageNamed(specifier!, file);
      // A package that names itself has all of its project in its folder.
      if (folder !== undefined && !file.startsWith(folder + sep)) addPackage(folder, packages);
    }
  }
}

function addPackage(folder: string, packages: Map<string, ModulePackage>): void {
  if (packages.has(folder)) return;
  const manifest = join(folder, "package.json");
  const content = readManifest(manifest);
  const files = loadableFiles(folder);
  const hash = createHash("sha256");
  for (const each of files) hash.update(`${relative(folder, each.path)}\0${each.sha256}\n`);
  const { name = folder, version = "" } = content;
  packages.set(folder, { name, version, files, sha256: hash.digest("hex") });
  for (const dependency of Object.keys({
    ...content.dependencies,
    ...content.optionalDependencies,
    ...content.peerDependencies,
  })) {
    const next = dependency === "ludoflow" ? undefined : packageNamed(dependency, manifest);
    if (next !== undefined) addPackage(next, packages);
  }
}

/** What a package.json says of its package. */
interface PackageManifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Reads a package.json. A damaged one is empty here: Node refuses to load its package, and says why. */
function readManifest(manifest: string): PackageManifest {
  try {
    const content: unknown = JSON.parse(readFileSync(manifest, "utf8"));
    return isPlainMap(content) ? content : {};
  } catch {
    return {};
  }
}

function loadableFiles(folder: string): readonly ModuleFile[] {
  const files: ModuleFile[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (entry.name !== "node_modules" && !entry.name.startsWith(".")) files.push(...loadableFiles(path));
    } else if (entry.isFile() && LOADABLE.test(entry.name))
      files.push({ path, sha256: sha256(readFileSync(path)) });
  }
  return files.toSorted(byPath);
}

/** The file that a relative path in a file means; undefined if there is none. */
function fileNamed(from: string, specifier: string): string | undefined {
  const path = join(specifier.startsWith("/") ? "/" : dirname(from), specifier);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) return realpathSync(path);
  try {
    // `require` adds extensions.
    return createRequire(from).resolve(path);
  } catch {
    return undefined;
  }
}

/** The folder of a package as a file would find it; undefined if it is not installed. */
function packageNamed(specifier: string, from: string): string | undefined {
  try {
    const manifest = findPackageJSON(specifier, from);
    return manifest === undefined ? undefined : dirname(realpathSync(manifest));
  } catch {
    return undefined;
  }
}

/** The folder of the installed package that a file belongs to; undefined outside of packages, and for the examples of this one. */
function packageAround(file: string): string | undefined {
  const parts = file.split(sep);
  const at = parts.lastIndexOf("node_modules");
  if (at < 0) return undefined;
  const folder = parts.slice(0, at + (parts[at + 1]!.startsWith("@") ? 3 : 2)).join(sep);
  return folder === realpathSync(packageRoot()) ? undefined : folder;
}

function byPath(a: ModuleFile, b: ModuleFile): number {
  return a.path < b.path ? -1 : 1;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

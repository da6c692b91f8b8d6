import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { writeAtomically } from "../formats/files/atomic-file.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { schemaFile } from "../graph/generated/editor-schema.ts";
import { packageRoot } from "../package-root.ts";
import { loadPlugin } from "../plugins/load-plugins.ts";
import { UsageError } from "../messages/usage-error.ts";

/** The game of a new project, and the schema that editors check its experiments by. */
const GAME = "games/nim.ts";
const SCHEMA = ".vscode/experiment.schema.json";

/** Files that are copied as they are: their names in the package, in which no name begins with a dot, and in the project. */
const copied: Readonly<Record<string, string>> = {
  "README.md": "README.md",
  "tsconfig.json": "tsconfig.json",
  [GAME]: GAME,
  "experiments/first.yaml": "experiments/first.yaml",
  "vscode/settings.json": ".vscode/settings.json",
  "vscode/extensions.json": ".vscode/extensions.json",
};

interface PackageJson {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

/**
 * Lays out a project in a folder that is absent or empty: a game, an experiment with it, and what npm, the compiler and editors
 * need. It depends on this version of ludoflow or, with `tarball`, on that file. Returns the files, relative to the folder.
 * Throws UsageError, FileNotWritten.
 */
export function layOutProject(folder: string, tarball?: string): string[] {
  const path = resolve(folder);
  const name = basename(path);
  if (!/^[a-z0-9][a-z0-9._-]{0,200}$/.test(name))
    throw new UsageError(
      `"${name}" cannot be the name of a project: npm wants small letters, digits, ".", "-" and "_", with a letter or digit first`,
    );
  assertEmpty(folder, path);
  const files = filesOf(path, name, tarball);
  for (const [file, content] of files) {
    const to = join(path, file);
    writing(to, () => mkdirSync(dirname(to), { recursive: true }));
    writeAtomically(to, content);
  }
  // The game has just been copied from this package: it is not foreign code.
  loadPlugin(join(path, GAME));
  writeAtomically(join(path, SCHEMA), schemaFile());
  return [...files.keys(), SCHEMA].toSorted();
}

function assertEmpty(folder: string, path: string): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return;
  if (!found.isDirectory()) throw new UsageError(`${folder} is a file; name a new folder`);
  const [first] = readdirSync(path);
  if (first !== undefined)
    throw new UsageError(`${folder} is not empty (it has ${first}); name a new folder, or an empty one`);
}

function filesOf(path: string, name: string, tarball: string | undefined): Map<string, string> {
  const root = packageRoot();
  const own = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as PackageJson;
  const { "onnxruntime-node": onnx } = own.peerDependencies;
  const files = new Map<string, string>();
  for (const [from, to] of Object.entries(copied)) {
    const text = readFileSync(join(root, "template", from), "utf8");
    files.set(to, text.replaceAll("NAME", name).replaceAll("ONNX_VERSION", onnx!));
  }
  files.set(
    "package.json",
    json({
      name,
      private: true,
      type: "module",
      scripts: {
        test: "tsc && ludoflow check --laws --allow-code experiments/*.yaml",
        schema: `ludoflow schema --allow-code experiments/*.yaml --out ${SCHEMA}`,
      },
      dependencies: { ludoflow: tarball === undefined ? own.version : dependencyOn(tarball, path) },
      devDependencies: { typescript: own.devDependencies["typescript"] },
    }),
  );
  files.set(
    ".npmrc",
    "# ONNX Runtime's script downloads libraries for CUDA from outside npm. Nothing here needs a script at installation.\nignore-scripts=true\n",
  );
  files.set(".gitignore", "node_modules/\nruns/\n");
  return files;
}

/** The tarball that a project in a folder has installed ludoflow from, if there is one. */
export function installedFrom(folder: string): string | undefined {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return undefined;
  let manifest: unknown;
  try {
    manifest = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    // A damaged one names no tarball.
    return undefined;
  }
  const { dependencies } = Object(manifest) as Partial<PackageJson>;
  const tarball = /^file:(.*\.tgz)$/.exec(String(dependencies?.["ludoflow"]))?.[1];
  return tarball !== undefined && existsSync(join(folder, tarball)) ? join(folder, tarball) : undefined;
}

/** A tarball as npm names it in a package.json: relative to the project, so that both can be moved together. */
function dependencyOn(tarball: string, project: string): string {
  const path = resolve(tarball);
  if (!path.endsWith(".tgz") || !existsSync(path))
    throw new UsageError(
      `--from ${tarball}: name a tarball of ludoflow that is there, such as ludoflow-0.2.0.tgz`,
    );
  return `file:${relative(project, realpathSync(path)).replaceAll(sep, "/")}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

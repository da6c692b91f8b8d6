import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";

/** The folder of the checkout. */
export const checkout = resolve(import.meta.dirname, "..");

/** A packed tarball. */
export interface Tarball {
  readonly path: string;
  /** Bytes of the tarball, and of what it holds. */
  readonly packed: number;
  readonly unpacked: number;
  /** Paths in the package. */
  readonly files: readonly string[];
}

/** Packs the package into a folder as `npm pack` does, which builds first. Throws if the build or npm fails. */
export function pack(folder: string): Tarball {
  const output = run("npm", ["pack", "--silent", "--json", "--pack-destination", folder]);
  // npm 12 names the packages, older ones list them.
  const reports = Object.values(JSON.parse(output) as Record<string, NpmPack>);
  const { filename, size, unpackedSize, files } = reports[0]!;
  return {
    path: join(folder, filename),
    packed: size,
    unpacked: unpackedSize,
    files: files.map(({ path }) => path),
  };
}

interface NpmPack {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Files that a tarball must hold and lacks: the compiled code of every source, the page, the launcher, all experiments. */
export function missingFiles(files: readonly string[], root = checkout): string[] {
  const under = (folder: string, ending: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(ending))
      .map((file) => `${folder}/${file}`);
  const wanted = [
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    "bin/ludoflow.js",
    "bin/node.js",
    "bin/fetch-node.js",
    "toolchain/package.json",
    "schemas/experiment.schema.json",
    ...under("experiments", ".yaml"),
    ...under("experiments", ".safetensors"),
    "template/README.md",
    ...[".json", ".ts", ".yaml"].flatMap((ending) => under("template", ending)),
    // The page is one bundle, and what an exported game page runs is another.
    "dist/page/index.html",
    "dist/alone/player.js",
    ...under("src", ".ts")
      .filter((file) => !file.startsWith("src/web/pages/"))
      .map((file) => `dist/${file.replace(/\.ts$/, ".js")}`),
  ];
  return wanted.filter((file) => !files.includes(file));
}

/** Runs a program in the checkout and returns its standard output; its standard error is shown. */
export function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, {
    cwd: checkout,
    encoding: "utf8",
    maxBuffer: 64 << 20,
    stdio: ["ignore", "pipe", "inherit"],
    // On Windows npm is a script of the shell.
    shell: process.platform === "win32",
  });
}

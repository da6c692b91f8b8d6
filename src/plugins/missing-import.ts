import { readFileSync, statSync } from "node:fs";
import { dirname, relative, resolve, sep } from "node:path";

/** What can be meant by a path that leads to no file. */
const meant: readonly ((path: string) => string)[] = [
  ...["ts", "js", "mts", "mjs", "cts", "cjs"].map((extension) => (path: string) => `${path}.${extension}`),
  (path) => path.replace(/js$/, "ts"),
  (path) => `${path}${sep}index.ts`,
  (path) => `${path}${sep}index.js`,
];

/**
 * What is wrong if Node did not find what a module imports, with file and line, and what to write; undefined for other
 * errors. Node adds no extensions to paths, in contrast to compilers and bundlers.
 */
export function missingImport({ message }: Error): string | undefined {
  const [, kind, wanted, from] =
    /^(Cannot find module|Cannot find package|Directory import) '([^']+)'.* imported from ([^\n]+)$/m.exec(
      message,
    ) ?? [];
  if (from === undefined) return undefined;
  const importer = from.replace(/^file:\/\//, "");
  if (kind === "Cannot find package")
    return `${placeOf(importer, (text) => text === wanted || text.startsWith(`${wanted}/`)).place}: the package "${wanted}" is not installed in ${dirname(importer)} or above; npm install ${wanted}`;
  const { place, text } = placeOf(importer, (each) => resolve(dirname(importer), each) === wanted);
  const file = meant.map((make) => make(wanted!)).find((path) => path !== wanted && isFile(path));
  const written = file === undefined ? undefined : relative(dirname(importer), file).replaceAll(sep, "/");
  return `${place}: there is no file "${text ?? wanted}"${
    written === undefined
      ? ""
      : `; write "${written.startsWith(".") ? "" : "./"}${written}", because Node adds no extensions`
  }`;
}

/** The place of the import of a file that names something, and the text that it names it by. */
function placeOf(
  file: string,
  names: (text: string) => boolean,
): { readonly place: string; readonly text?: string } {
  const lines = readFileSync(file, "utf8").split("\n");
  for (const [i, line] of lines.entries())
    for (const [, , text] of line.matchAll(/\b(?:from|import|require)\b\s*\(?\s*(["'])([^"']+)\1/g))
      if (names(text!)) return { place: `${file}:${i + 1}`, text: text! };
  return { place: file };
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { isolatedDeclarationSync } from "rolldown/experimental";
import { parseAst } from "rolldown/parseAst";
import { checkout } from "./tarball.ts";

/** The entries of the package, by the names that they are imported by. */
const entries = {
  ludoflow: "src/api/index.ts",
  "ludoflow/data": "src/api/data.ts",
  "ludoflow/nets": "src/api/nets.ts",
  "ludoflow/search": "src/api/search.ts",
  "ludoflow/testing": "src/api/testing.ts",
} as const;

/** Written from the schema and committed itself: its changes show there. */
const generated = "src/api/experiment.ts";

/** A declaration of a module. */
interface Declared {
  /** With the comments before it. */
  readonly text: string;
  /** All names in it. */
  readonly names: ReadonlySet<string>;
}

/** What a module declares, by local name; and what its names refer to. */
interface Module {
  readonly declared: ReadonlyMap<string, Declared>;
  /** Local name to module and name there: imports. */
  readonly imported: ReadonlyMap<string, Target>;
  /** Exported name to local name, or to a module and a name there. */
  readonly exported: ReadonlyMap<string, string | Target>;
  /** Modules all of whose exports are exported. */
  readonly all: readonly string[];
  /** The statements that export what other modules declare, and the comment before the first one. */
  readonly exports: string;
}

interface Target {
  readonly module: string;
  readonly name: string;
}

/** What is public: the modules that entries lead to, with those of their declarations that show. */
interface PublicFace {
  readonly modules: ReadonlyMap<string, Module>;
  /** By module: the local names of the declarations that show. */
  readonly wanted: ReadonlyMap<string, ReadonlySet<string>>;
  /** What shows of packages of others: `PACKAGE: NAME`. */
  readonly packages: ReadonlySet<string>;
}

function publicFace(): PublicFace {
  const modules = new Map<string, Module>();
  const moduleOf = (path: string): Module => {
    let known = modules.get(path);
    if (known === undefined) modules.set(path, (known = readModule(path)));
    return known;
  };
  const wanted = new Map<string, Set<string>>();
  const packages = new Set<string>();
  const queue: Target[] = [];
  const want = (target: Target) => {
    if (!target.module.endsWith(".ts")) packages.add(`${target.module}: ${target.name}`);
    if (!target.module.endsWith(".ts") || target.module === generated) return;
    const names = wanted.get(target.module) ?? new Set();
    wanted.set(target.module, names);
    if (names.has(target.name)) return;
    names.add(target.name);
    queue.push(target);
  };
  /** The declaration that an export of a module leads to. */
  const resolve = (path: string, name: string): Target => {
    if (!path.endsWith(".ts") || path === generated) return { module: path, name };
    const module = moduleOf(path);
    const to = module.exported.get(name);
    if (to === undefined)
      for (const other of module.all)
        if (other === generated || moduleOf(other).exported.has(name)) return resolve(other, name);
    if (to === undefined) throw new Error(`${path} exports no ${name}`);
    if (typeof to !== "string") return resolve(to.module, to.name);
    const imported = module.imported.get(to);
    return imported === undefined ? { module: path, name: to } : resolve(imported.module, imported.name);
  };
  for (const path of Object.values(entries))
    for (const name of moduleOf(path).exported.keys()) want(resolve(path, name));
  for (const { module: path, name } of queue) {
    const module = moduleOf(path);
    if (/\bconst \w+: unknown/.test(module.declared.get(name)?.text ?? ""))
      throw new Error(`${path}: ${name} is public, so write its type: it is inferred`);
    for (const used of module.declared.get(name)?.names ?? []) {
      const imported = module.imported.get(used);
      if (imported !== undefined) want(resolve(imported.module, imported.name));
      else if (module.declared.has(used)) want({ module: path, name: used });
    }
  }
  return { modules, wanted, packages };
}

/**
 * The public declarations of the package as text: what each entry exports, and then all declarations that these need, module by
 * module. Comments are left out. Packages of others are named if they show.
 */
export function publicDeclarations(): string {
  const { modules, wanted, packages } = publicFace();
  const lists = Object.entries(entries).map(([entry, path]) => {
    const { all, exported } = modules.get(path)!;
    const names = [...exported.keys()].toSorted();
    return [`${entry}:`, ...names, ...all.map((other) => `* from ${other}`)].join("\n  ");
  });
  const bodies = [...wanted]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, names]) => {
      const { declared } = modules.get(path)!;
      const texts = [...declared].filter(([name]) => names.has(name)).map(([, { text }]) => text);
      return `// ${path}\n${texts.map(withoutComments).join("\n")}`;
    });
  const head =
    "// The public declarations of this package, without their comments, so that each change of them shows.\n// Written by `npm run declarations`. Experiments are in src/api/experiment.ts.";
  const foreign = `// From other packages:\n${[...packages]
    .toSorted()
    .map((each) => `//   ${each}`)
    .join("\n")}`;
  const list = lists.map((each) => each.replaceAll(/^/gm, "// ")).join("\n//\n");
  return `${[head, list, foreign, ...bodies].join("\n\n")}\n`;
}

/**
 * The declaration files of the package, by the path of their source: the public declarations with their comments, and nothing
 * else, so that no library shows that is only used inside.
 */
export function declarationFiles(): Map<string, string> {
  const { modules, wanted } = publicFace();
  const files = new Map([[generated, readFileSync(join(checkout, generated), "utf8")]]);
  const paths = new Set([...Object.values(entries), ...wanted.keys()]);
  for (const path of paths) {
    const { declared, exports, imported } = modules.get(path)!;
    const names = wanted.get(path) ?? new Set();
    const kept = [...declared].filter(([name]) => names.has(name)).map(([, each]) => each);
    const used = new Set(kept.flatMap((each) => [...each.names]));
    const imports = [...imported]
      .filter(([name]) => used.has(name))
      .map(([local, { module, name }]) => {
        const what =
          name === "*" ? `* as ${local}` : name === local ? `{ ${name} }` : `{ ${name} as ${local} }`;
        return `import type ${what} from "${specifier(path, module)}";`;
      });
    // Without it, all declarations of the file would be exported.
    const parts = [...librariesOf(used), ...imports, ...kept.map(({ text }) => text), exports, "export {};"];
    files.set(path, `${parts.filter((part) => part !== "").join("\n")}\n`);
  }
  return files;
}

/** References to the libraries that declare these names and that no `target` of TypeScript loads by itself. */
function librariesOf(names: ReadonlySet<string>): string[] {
  return ["AsyncDisposable", "Disposable"].some((name) => names.has(name))
    ? ['/// <reference lib="esnext.disposable" />']
    : [];
}

/** How one module names another one. */
function specifier(from: string, to: string): string {
  if (!to.endsWith(".ts")) return to;
  const path = relative(dirname(from), to).replace(/\.ts$/, ".js");
  return path.startsWith(".") ? path : `./${path}`;
}

/** Any node of a syntax tree. */
type Tree = Readonly<Record<string, any>>;

function readModule(path: string): Module {
  // Constants whose types are inferred become `unknown`: `publicDeclarations` refuses them if they show.
  const { code } = isolatedDeclarationSync(path, readFileSync(join(checkout, path), "utf8"), {
    stripInternal: true,
  });
  const declared = new Map<string, Declared>();
  const imported = new Map<string, Target>();
  const exported = new Map<string, string | Target>();
  const all: string[] = [];
  const exports: string[] = [];
  let end = 0;
  const from = (specifier: string) =>
    specifier.startsWith(".") ? relative(checkout, join(checkout, dirname(path), specifier)) : specifier;
  for (const statement of (parseAst(code, { lang: "dts" }) as Tree)["body"] as readonly Tree[]) {
    const whole = code.slice(end, statement["end"]).trim();
    end = statement["end"];
    const source: string | undefined = statement["source"]?.value;
    if (statement["type"] === "ImportDeclaration")
      for (const each of statement["specifiers"] as readonly Tree[])
        imported.set(each["local"].name, { module: from(source!), name: each["imported"]?.name ?? "*" });
    else if (statement["type"] === "ExportAllDeclaration") {
      exports.push(withSpecifier(whole));
      if (statement["exported"] === null) all.push(from(source!));
      else exported.set(statement["exported"].name, { module: from(source!), name: "*" });
    } else {
      for (const each of (statement["specifiers"] ?? []) as readonly Tree[])
        exported.set(
          each["exported"].name,
          source === undefined ? each["local"].name : { module: from(source), name: each["local"].name },
        );
      const isExport = statement["type"] === "ExportNamedDeclaration";
      if (isExport && source !== undefined) exports.push(withSpecifier(whole));
      const declaration: Tree | undefined = isExport ? statement["declaration"] : statement;
      if (declaration === undefined || declaration === null) continue;
      const names = namesIn(declaration);
      const own: readonly string[] =
        declaration["declarations"]?.map((each: Tree) => each["id"].name) ??
        (declaration["id"] === undefined ? [] : [declaration["id"].name]);
      for (const name of own) {
        declared.set(name, { text: whole, names });
        if (isExport) exported.set(name, name);
      }
    }
  }
  return { declared, imported, exported, all, exports: exports.join("\n") };
}

function withSpecifier(statement: string): string {
  return statement.replace(/(from "\.[^"]*)\.ts"/, '$1.js"');
}

/** All names in a piece of a tree. */
function namesIn(tree: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(tree)) for (const each of tree) namesIn(each, found);
  else if (typeof tree === "object" && tree !== null) {
    const { type, name } = tree as Tree;
    if (type === "Identifier" && typeof name === "string") found.add(name);
    for (const each of Object.values(tree)) namesIn(each, found);
  }
  return found;
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll("\t", "  ")
    .replaceAll(/[ ]+$/gm, "")
    .replaceAll(/\n{2,}/g, "\n")
    .trim();
}

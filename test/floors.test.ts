import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { operators, services } from "../src/operators/registry.ts";

const root = resolve(import.meta.dirname, "..");
const files = ["src", "bench"].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
);
const text = new Map(files.map((file) => [file, readFileSync(join(root, file), "utf8")]));

/** The floors, lowest first: a file imports from its own folder and from the floors below. */
const floors: readonly (readonly string[])[] = [
  // Random numbers are below the rest of their floor: resampled intervals draw from them.
  ["src/random.ts", "src/schema.ts", "src/package-root.ts", "src/module-beside.ts", "src/messages"],
  ["src/stats", "src/formats", "src/definitions", "src/options.ts", "src/same-value.ts", "src/schedule.ts"],
  ["src/figures"],
  ["src/games", "src/compute"],
  ["src/search", "src/models"],
  ["src/workers", "src/events"],
  ["src/diagnosis"],
  ["src/protocols"],
  ["src/operators/experiment"],
  ["src/operators/run"],
  ["src/operators/play"],
  ["src/operators/operator.ts"],
  ["src/operators/learning"],
  ["src/operators/measuring"],
  // The stages, one a file.
  ["src/operators"],
  ["src/plugins"],
  ["src/graph", "src/report"],
  ["src/runs", "src/fleet"],
  ["src/web"],
  ["bench"],
  ["src/cli", "src/api"],
];

/** The part of the tree that a file belongs to, and its floor. */
function place(file: string): { readonly part: string; readonly floor: number } {
  const floor = floors.findIndex((parts) =>
    parts.some((part) => file === part || file.startsWith(`${part}/`)),
  );
  return { floor, part: floors[floor]?.find((part) => file === part || file.startsWith(`${part}/`)) ?? file };
}

/** Everything a file imports, types included: static, exported again, or by `import()`. */
function imports(source: string): string[] {
  const patterns = [/\bfrom\s+"([^"]+)"/g, /\bimport\s+"([^"]+)"/g, /\bimport\(\s*"([^"]+)"/g];
  return patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1]!));
}

/** The modules that a file starts as threads or programs. */
function starts(source: string): string[] {
  return [...source.matchAll(/\bmoduleBeside\(\s*"([^"]+)"/g)].map((match) => `./${match[1]!}.ts`);
}

/** What a file imports that is loaded with it: types are not, and `import()` comes later. */
function loads(source: string): string[] {
  return [...source.matchAll(/^(?:import|export) (?!type )[^;]*?"([^"]+)";/gm)].map((match) => match[1]!);
}

/** The packages that are loaded with a file and all that it loads. */
function packagesLoadedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  return loads(text.get(file)!).flatMap((specifier) =>
    specifier.startsWith(".")
      ? packagesLoadedBy(relative(root, resolve(root, file, "..", specifier)), seen)
      : [specifier],
  );
}

/** The names that a file declares and exports; names that it exports again from elsewhere are not its own. */
function declaredExports(source: string): string[] {
  const declaration =
    /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|const|let|interface|type|enum) (\w+)/gm;
  return [...source.matchAll(declaration)].map((match) => match[1]!);
}

/** The strongly connected parts of a graph with more than one node, each as its nodes in order (Tarjan 1972). */
function circles(arrows: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = [];
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const visit = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.get(node)!);
    stack.push(node);
    for (const target of arrows.get(node) ?? [])
      if (!index.has(target)) {
        visit(target);
        low.set(node, Math.min(low.get(node)!, low.get(target)!));
      } else if (stack.includes(target)) low.set(node, Math.min(low.get(node)!, index.get(target)!));
    if (low.get(node) !== index.get(node)) return;
    const part = stack.splice(stack.indexOf(node));
    if (part.length > 1) found.push(part.toSorted().join(" "));
  };
  for (const node of arrows.keys()) if (!index.has(node)) visit(node);
  return found.toSorted();
}

/** A source without its comments: they may speak of anything. */
function code(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, "").replaceAll(/(^|\s)\/\/.*$/gm, "");
}

describe("the floors", () => {
  it("has a floor for every file", () => {
    expect(files.filter((file) => place(file).floor < 0)).toEqual([]);
    expect(files.length).toBeGreaterThan(100);
  });

  it("lets a file import, and start as a thread, only what is in its own folder and the floors below", () => {
    const wrong: string[] = [];
    for (const [file, source] of text)
      for (const specifier of [...imports(source), ...starts(source)]) {
        if (!specifier.startsWith(".")) continue;
        const target = relative(root, resolve(root, file, "..", specifier));
        const [from, to] = [place(file), place(target)];
        if (to.part !== from.part && to.floor >= from.floor) wrong.push(`${file} imports ${target}`);
      }
    expect(wrong).toEqual([]);
  });

  it("lets nothing but the registry import a stage's file", () => {
    const stages = new Set(operators.map(({ use }) => `src/operators/${use}.ts`));
    const wrong = [...text].flatMap(([file, source]) =>
      imports(source)
        .map((specifier) => relative(root, resolve(root, file, "..", specifier)))
        .filter((target) => stages.has(target) && file !== "src/operators/registry.ts")
        .map((target) => `${file} imports ${target}`),
    );
    expect(wrong).toEqual([]);
    expect([...stages].filter((file) => !text.has(file))).toEqual([]);
  });

  it("has no circle of imports between files, types included", () => {
    const arrows = new Map(
      [...text].map(([file, source]) => [
        file,
        imports(source)
          .filter((specifier) => specifier.startsWith("."))
          .map((specifier) => relative(root, resolve(root, file, "..", specifier)))
          .filter((target) => file.startsWith("src/") && target.startsWith("src/")),
      ]),
    );
    expect(circles(arrows)).toEqual([]);
    expect(circles(new Map(Object.entries({ a: ["b"], b: ["c", "d"], c: ["a"], d: [] })))).toEqual(["a b c"]);
  });

  it("finds imports where they are written in several lines, for types and by import(), and modules of threads", () => {
    const source =
      'import {\n  a,\n} from "./a.ts";\nexport type { B } from "./b.ts";\nawait import("./c.ts");\nimport "./d.ts";';
    expect(imports(source).toSorted()).toEqual(["./a.ts", "./b.ts", "./c.ts", "./d.ts"]);
    expect(starts('moduleBeside("e/f", url);')).toEqual(["./e/f.ts"]);
  });

  it("imports and starts files that exist, with their extension", () => {
    const missing = [...text].flatMap(([file, source]) =>
      [...imports(source), ...starts(source)]
        .filter((specifier) => specifier.startsWith("."))
        .map((specifier) => relative(root, resolve(root, file, "..", specifier)))
        .filter((target) => !text.has(target))
        .map((target) => `${file} imports ${target}`),
    );
    expect(missing).toEqual([]);
  });

  it("declares an exported name in one file only: one name is one thing", () => {
    const declaredIn = new Map<string, Set<string>>();
    for (const [file, source] of text)
      if (file.startsWith("src/"))
        for (const name of declaredExports(source))
          declaredIn.set(name, (declaredIn.get(name) ?? new Set()).add(file));
    const twice = [...declaredIn].filter(([, where]) => where.size > 1);
    expect(twice.map(([name, where]) => `${name}: ${[...where].join(", ")}`)).toEqual([]);
    const source =
      'export const a = 1;\nexport async function b() {}\nexport abstract class C {}\nexport function* d() {}\nexport { e } from "./e.ts";\nexport type { F } from "./f.ts";\nexport type G = 1;';
    expect(declaredExports(source)).toEqual(["a", "b", "C", "d", "G"]);
  });

  it("leaves typebox to one module that needs its types alone: loading it would slow down every thread", () => {
    const users = [...text].filter(([, source]) =>
      imports(source).some((name) => name.startsWith("typebox")),
    );
    expect(users.map(([file]) => file)).toEqual(["src/schema.ts"]);
    expect(text.get("src/schema.ts")).not.toMatch(/^import (?!type)[^;]*"typebox/m);
  });

  it("keeps Effect and the checker of schemas out of threads, whose start they would slow down", () => {
    const product = [...text].filter(([file]) => file.startsWith("src/"));
    const threads = product.flatMap(([file, source]) =>
      starts(source)
        .map((module) => join(file, "..", module))
        // Programs load it once in a process, and a module that prepares a thread for plug-ins needs all that they may import.
        .filter((module) => !/-process\.ts$|prepare-thread/.test(module)),
    );
    expect(threads).toContain("src/operators/play/game-worker.ts");
    expect(threads.length).toBeGreaterThan(6);
    for (const thread of threads)
      expect(
        packagesLoadedBy(thread).filter((name) => /^(?:effect|ajv)\b/.test(name)),
        thread,
      ).toEqual([]);
    expect(packagesLoadedBy("src/operators/run/stage-activity.ts")).toEqual(["effect/Effect"]);
  });

  it("leaves rxjs to the events", () => {
    const users = [...text].filter(([, source]) => imports(source).some((name) => name.startsWith("rxjs")));
    expect(users.map(([file]) => file).filter((file) => !file.startsWith("src/events/"))).toEqual([]);
    expect(users).not.toEqual([]);
  });

  it("keeps Effect, promises and threads out of games and searches", () => {
    const wrong = [...text].filter(
      ([file, source]) =>
        /^src\/(games|search)\//.test(file) &&
        (imports(source).some((name) => /^(effect|node:)/.test(name)) ||
          /\basync\b|\bawait\b|\bPromise\b/.test(code(source))),
    );
    expect(wrong.map(([file]) => file)).toEqual([]);
  });

  it("takes Effect's modules one by one: the whole of it takes a fifth of a second more to load", () => {
    const wrong = [...text].filter(([, source]) => imports(source).includes("effect"));
    expect(wrong.map(([file]) => file)).toEqual([]);
  });

  it("uses none of Effect's unstable modules", () => {
    const wrong = [...text].filter(([, source]) =>
      imports(source).some((name) => name.startsWith("effect/unstable")),
    );
    expect(wrong.map(([file]) => file)).toEqual([]);
  });
});

describe("determinism of the sources", () => {
  const mentions = (pattern: RegExp, where: RegExp) =>
    [...text]
      .filter(([file, source]) => where.test(file) && pattern.test(code(source)))
      .map(([file]) => file);

  it("never draws from Math.random or crypto", () => {
    // The token of a page server is no result. Nor are the names of runs and processes in a fleet. Calls of plug-ins are watched.
    expect(mentions(/Math\.random|randomBytes|randomUUID|getRandomValues|randomInt/, /^src\//)).toEqual([
      "src/fleet/random-id.ts",
      "src/plugins/watched-globals.ts",
      "src/web/server/access.ts",
      "src/web/server/play/random-names.ts",
    ]);
  });

  it("reads no clock where results are made, but for searches given a budget in time", () => {
    const clocks = /Date\.now|new Date|performance\.now|process\.hrtime|\bDate\(\)/;
    expect(mentions(clocks, /^src\/(random\.ts|stats|formats|games|compute|search|models)/)).toEqual([
      "src/search/time-budget.ts",
    ]);
  });
});

describe("the names of operators and services", () => {
  const ownFile = new Map([
    ...operators.map(({ use }) => [use, `src/operators/${use}.ts`] as const),
    ...services.map(({ use }) => [use, `src/operators/play/evaluation/${use}.ts`] as const),
  ]);
  const names = [...ownFile.keys()];

  /** The names that stand in a source as a string of their own, or as the `use` of an experiment. */
  const namedIn = (source: string) =>
    names.filter((name) => new RegExp(`["'\`]${name}["'\`]|use: ["']?${name}\\b`).test(code(source)));

  /** Strings that are the same word: types of events, and a section and a table of reports. */
  const sameWord: Readonly<Record<string, readonly string[]>> = {
    "src/events/event.ts": ["checkpoint", "policy-statistics"],
    "src/operators/measuring/statistics/policy-games.ts": ["policy-statistics"],
    "src/events/metrics-file.ts": ["checkpoint"],
    "src/events/run-state.ts": ["checkpoint", "policy-statistics"],
    "src/report/sections/course.ts": ["checkpoint"],
    "src/report/sections/flows.ts": ["checkpoint"],
    "src/runs/filling.ts": ["checkpoint"],
    "src/runs/fork-run.ts": ["checkpoint"],
    "src/web/server/event-lines.ts": ["checkpoint"],
    "src/cli/new-experiment.ts": ["supervised"],
    "src/web/server/games/game-files.ts": ["sgf"],
    "src/web/pages/games/game-actions.tsx": ["sgf"],
    "src/graph/folder/recorded-checkpoints.ts": ["checkpoint"],
    "src/web/server/run-log.ts": ["checkpoint"],
    "src/report/sections/policy.ts": ["policy-statistics"],
    "src/report/sections/self-play.ts": ["self-play"],
  };

  it("stand in their own files alone: a stage answers for itself", () => {
    // Benches and starters write experiments, and name stages as an experiment file does. The types of experiments are
    // written from the registries. Field words are a dictionary of all names.
    const wrong = [...text]
      .filter(([file]) => file.startsWith("src/") && !file.startsWith("src/cli/starters/"))
      .filter(([file]) => !["src/api/experiment.ts", "src/messages/field-words.ts"].includes(file))
      .flatMap(([file, source]) => namedIn(source).map((name) => [file, name] as const))
      .filter(([file, name]) => file !== ownFile.get(name))
      .filter(([file, name]) => sameWord[file]?.includes(name) !== true);
    expect(wrong).toEqual([]);
    for (const [name, file] of ownFile) expect(namedIn(text.get(file) ?? "")).toContain(name);
  });

  it("are found in comparisons, in experiments and in messages, not in comments or as parts of words", () => {
    const planted = [
      'config.use === "arena"',
      "each.use == 'self-play'",
      "`replay-buffer`",
      '{ use: "trainer" }',
      '"add a stage with use: checkpoint there"',
    ];
    for (const source of planted) expect(namedIn(source), source).toHaveLength(1);
    expect(namedIn('// "arena"\n/* "trainer" */ "arenas" "the trainer"')).toEqual([]);
  });
});

describe("names", () => {
  it("calls every file in kebab-case", () => {
    const wrong = files.filter((file) => !/^[a-z0-9]+(-[a-z0-9]+)*\.tsx?$/.test(file.split("/").at(-1)!));
    expect(wrong).toEqual([]);
  });

  it("has no utils, common or misc", () => {
    expect(files.filter((file) => /\b(utils?|common|misc|helpers?)\b/.test(file))).toEqual([]);
  });
});

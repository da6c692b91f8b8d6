// `npm run vendor`, a part of `npm run build`: puts what the compiled code uses of some large packages into dist/vendor, and lets the
// compiled code import it from there. An installation is a third smaller, and threads open fewer files when they start.
import { globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { checkout } from "./tarball.ts";

/** Development dependencies of which users get the parts that are used. Types of none of them are part of the API. */
const VENDORED = ["effect", "rxjs"];

const IMPORT = new RegExp(
  `(\\b(?:from|import)\\s*\\(?\\s*")((?:${VENDORED.join("|")})(?:/[\\w/.-]+)?)(")`,
  "g",
);

/** What a specifier is called in the folder: `effect/Effect.js`. */
const fileOf = (specifier: string) => `${specifier.includes("/") ? specifier : `${specifier}/index`}.js`;

const dist = join(checkout, "dist");
const vendor = join(dist, "vendor");
const files = globSync("{src,bench}/**/*.js", { cwd: dist }).map((file) => join(dist, file));
const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
const specifiers = new Set(
  [...texts.values()].flatMap((text) => [...text.matchAll(IMPORT)].map(([, , specifier]) => specifier!)),
);
const bundle = await rolldown({
  input: Object.fromEntries(
    [...specifiers].toSorted().map((each) => [fileOf(each).replace(/\.js$/, ""), each]),
  ),
  cwd: checkout,
  // Modules, and not what packages have for `require`, whose names cannot be imported one by one.
  platform: "neutral",
  resolve: { conditionNames: ["es2015", "import", "default"] },
  external: /^node:/,
});
await bundle.write({ dir: vendor, entryFileNames: "[name].js", chunkFileNames: "parts/[name].js" });
await bundle.close();
for (const [file, text] of texts) {
  const changed = text.replace(IMPORT, (_, before: string, specifier: string, after: string) => {
    const to = relative(dirname(file), join(vendor, fileOf(specifier)))
      .split(sep)
      .join(posix.sep);
    return `${before}${to.startsWith(".") ? to : `./${to}`}${after}`;
  });
  if (changed !== text) writeFileSync(file, changed);
}
for (const specifier of specifiers) {
  const [made, meant] = (await Promise.all(
    [pathToFileURL(join(vendor, fileOf(specifier))).href, specifier].map((each) => import(each)),
  )) as object[];
  // Node adds names of its own to what a package has for `require`.
  const missing = Object.keys(meant!).filter(
    (name) => !["default", "__esModule", "module.exports"].includes(name) && !(name in made!),
  );
  if (missing.length > 0) throw new Error(`${specifier} in dist/vendor lacks ${missing.join(", ")}`);
}
for (const name of VENDORED) {
  const folder = join(vendor, name);
  mkdirSync(folder, { recursive: true });
  const licence = globSync("LICENSE*", { cwd: join(checkout, "node_modules", name) })[0]!;
  writeFileSync(join(folder, "LICENSE.txt"), readFileSync(join(checkout, "node_modules", name, licence)));
}

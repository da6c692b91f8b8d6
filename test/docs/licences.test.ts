import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { root, textOf } from "./pages.ts";

/** Licences under which every use of this project is allowed. */
const PERMISSIVE = [
  "MIT",
  "ISC",
  "0BSD",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "Apache-2.0",
  "Unlicense",
  "(MIT OR CC0-1.0)",
];

interface Locked {
  readonly license?: string;
  readonly dev?: boolean;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly integrity?: string;
}

const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(packages).filter(
  ([path, { link }]) => path.includes("node_modules/") && link !== true,
);

it("each package that users install has a permissive licence, or docs/dependencies.md says why it may be used", () => {
  const other = installed
    .filter(([, { dev, license }]) => dev !== true && !PERMISSIVE.includes(license ?? ""))
    .map(([path]) => path.replace(/^.*node_modules\//, ""));
  const [, licences] = textOf("docs/dependencies.md").split("\n## Licences");
  for (const name of other) expect(licences).toContain(`\`${name}\``);
});

it("each package comes from a registry, and has a checksum", () => {
  for (const [path, { integrity, resolved = "" }] of installed) {
    expect(resolved, path).toMatch(/^$|^https:\/\/registry\.npmjs\.org\//);
    expect(integrity, path).toMatch(/^sha512-/);
  }
});

import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { CacheUnusable, cacheFolder, cachedNode, fetchNode, nodePackage } from "../../bin/fetch-node.js";
import { root } from "../docs/pages.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

const toolchain = JSON.parse(readFileSync(join(root, "toolchain/package.json"), "utf8")) as {
  optionalDependencies: Record<string, string>;
};

describe("the package of Node", () => {
  it("of each platform is one of the toolchain, and each of the toolchain has its platform", () => {
    const platforms = ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"];
    const found = platforms.map((platform) => nodePackage(platform)!);
    expect(Object.fromEntries(found.map(({ name, version }) => [name, version]))).toEqual(
      toolchain.optionalDependencies,
    );
    expect(nodePackage("aix-ppc64")).toBeUndefined();
  });
});

it("the cache is where the system has it", () => {
  for (const platform of ["linux", "darwin", "win32"])
    expect(cacheFolder({ XDG_CACHE_HOME: "/elsewhere" }, platform)).toBe("/elsewhere/ludoflow");
  expect(cacheFolder({}, "linux")).toMatch(/\.cache\/ludoflow$/);
  expect(cacheFolder({}, "darwin")).toMatch(/Library\/Caches\/ludoflow$/);
});

describe("fetching", () => {
  const path = process.env["PATH"];
  afterEach(() => vi.stubEnv("PATH", path));
  const wanted = { name: "some-node", version: "24.1.2", program: "bin/node" };

  /** Puts a program called npm first on the path: a script of the shell. */
  function npmIs(script: string): void {
    const folder = scratchFolder();
    writeFileSync(join(folder, "npm"), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, "npm"), 0o755);
    vi.stubEnv("PATH", `${folder}:${path}`);
  }

  const installs =
    'mkdir -p "$3/node_modules/some-node/bin" "$3/node_modules/some-node/include"; echo "$@" > "$3/node_modules/some-node/bin/node"';

  it("installs the version once without its scripts, and leaves nothing else in the cache", async () => {
    npmIs(installs);
    const cache = join(scratchFolder(), "not/there/yet");
    const node = await fetchNode(wanted, cache);
    expect(node).toBe(cachedNode(wanted, cache));
    expect(readFileSync(node, "utf8")).toMatch(
      /^install --prefix .* --ignore-scripts .*some-node@24\.1\.2\n$/,
    );
    expect(readdirSync(cache)).toEqual(["some-node-24.1.2"]);
    expect(existsSync(join(cache, "some-node-24.1.2/include"))).toBe(false);
  });

  it("gives the one that another process has put there meanwhile", async () => {
    npmIs(installs);
    const cache = scratchFolder();
    const there = cachedNode(wanted, cache);
    mkdirSync(join(there, ".."), { recursive: true });
    writeFileSync(there, "the other's");
    expect(await fetchNode(wanted, cache)).toBe(there);
    expect(readFileSync(there, "utf8")).toBe("the other's");
    expect(readdirSync(cache)).toEqual(["some-node-24.1.2"]);
  });

  it("takes a cache for npm of its own where npm cannot write its own", async () => {
    npmIs(
      `case "$*" in *"--cache "*) ${installs};; *) echo "npm error code EACCES" >&2; echo "npm error mkdir '/nonexistent'" >&2; exit 1;; esac`,
    );
    const cache = scratchFolder();
    expect(existsSync(await fetchNode(wanted, cache))).toBe(true);
    expect(readdirSync(cache)).toEqual(["some-node-24.1.2"]);
  });

  it("says that the cache cannot be written where it cannot", async () => {
    const file = join(scratchFolder(), "file");
    writeFileSync(file, "");
    await expect(fetchNode(wanted, join(file, "cache"))).rejects.toThrow(CacheUnusable);
    for (const said of ["npm error code ENOSPC", "npm ERR! code EROFS"]) {
      npmIs(`echo "${said}" >&2; echo "npm error nospc no space left on device, write" >&2; exit 1`);
      const cache = scratchFolder();
      const refused = expect(fetchNode(wanted, cache)).rejects;
      await refused.toThrow(CacheUnusable);
      expect(readdirSync(cache)).toEqual([]);
    }
  });

  it("reports npm's reason in one line, and leaves nothing", async () => {
    npmIs(
      'echo "npm error code E404" >&2; echo "npm error syscall connect" >&2; echo "npm error 404 no such package" >&2; exit 1',
    );
    const cache = scratchFolder();
    await expect(fetchNode(wanted, cache)).rejects.toThrow(/^404 no such package$/);
    expect(readdirSync(cache)).toEqual([]);
  });
});

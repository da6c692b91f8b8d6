import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sha256 } from "../../../src/formats/sha256.ts";
import { cacheFolder, WeightsCache } from "../../../src/fleet/joiner/weights-cache.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const bytes = Uint8Array.of(1, 2, 3);
const hash = sha256(bytes);

it("gives back what it has kept, also to another joiner of the machine", () => {
  const folder = join(scratchFolder(), "cache");
  const cache = new WeightsCache(folder);
  expect(cache.read(hash)).toBeUndefined();
  cache.write(hash, bytes);
  expect(new WeightsCache(folder).read(hash)).toEqual(bytes);
  expect(readdirSync(folder)).toEqual([hash]);
});

it("removes what is damaged, and reads no path of another folder", () => {
  const folder = scratchFolder();
  const cache = new WeightsCache(folder);
  writeFileSync(join(folder, hash), Uint8Array.of(1, 2, 4));
  utimesSync(join(folder, hash), 0, 0);
  expect(cache.read(hash)).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
  expect(cache.read("../secret")).toBeUndefined();
});

it("is only a help: a folder that cannot be written stops nobody", () => {
  const file = join(scratchFolder(), "file");
  writeFileSync(file, "kept");
  const cache = new WeightsCache(file);
  cache.write(hash, bytes);
  expect(cache.read(hash)).toBeUndefined();
  expect(readFileSync(file, "utf8")).toBe("kept");
});

it("lies where caches of the user lie", () => {
  expect(cacheFolder({ XDG_CACHE_HOME: "/x" })).toBe("/x/ludoflow/weights");
  expect(cacheFolder({})).toMatch(/\.cache\/ludoflow\/weights$/);
});

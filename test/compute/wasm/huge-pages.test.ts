import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, it } from "vitest";
import { PAGE, sharedMemory } from "../../../src/compute/wasm/webassembly.ts";

/** Where Linux tells of its huge pages, if it has them, and of what was asked for a process's memory. */
const SYSTEM = "/sys/kernel/mm/transparent_hugepage/enabled";
const MEMORY = "/proc/self/smaps";

/** Whether huge pages were asked for (the flag `hg`) for a part of this process's memory of that many kibibytes. */
function askedFor(kibibytes: number): boolean {
  if (!existsSync(MEMORY)) return false;
  return readFileSync(MEMORY, "utf8")
    .split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m)
    .some((part) => new RegExp(`^Size: +${kibibytes} kB$`, "m").test(part) && /^VmFlags:.* hg\b/m.test(part));
}

/** Whether the optional package that calls the system's libraries is there. */
function installed(): boolean {
  try {
    createRequire(import.meta.url)(`@koromix/koffi-linux-${process.arch}`);
    return true;
  } catch {
    return false;
  }
}

it("asks for huge pages for the memory of tables, where the system has them", () => {
  const pages = 777;
  const kibibytes = (pages * PAGE) / 1024;
  expect(askedFor(kibibytes)).toBe(false);
  const { buffer } = sharedMemory(pages)!;
  expect(buffer.byteLength).toBe(pages * PAGE);
  expect(askedFor(kibibytes)).toBe(existsSync(SYSTEM) && installed());
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FileTooLarge, readBounded, readBoundedText } from "../../../src/formats/files/bounded-file.ts";
import { scratchFolder } from "../scratch-folder.ts";

describe("readBounded", () => {
  it("gives all bytes of a file that has no more than the limit", () => {
    const path = join(scratchFolder(), "file");
    for (const length of [0, 1, 65_535, 65_536, 65_537, 300_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => i % 251);
      writeFileSync(path, bytes);
      expect(Buffer.compare(readBounded(path, 300_000), bytes)).toBe(0);
      expect(readBounded(path, length)).toHaveLength(length);
      if (length > 0) expect(() => readBounded(path, length - 1)).toThrow(FileTooLarge);
    }
  });

  it("gives the content of a file whose size the system does not report", () => {
    expect(readBoundedText("/proc/self/status", 1 << 20)).toMatch(/^Name:/);
  });

  it("stops where a device does not end", () => {
    expect(() => readBounded("/dev/zero", 3 << 20)).toThrow("it has more than 3 MiB");
  });

  it("throws the system's error where there is nothing to read", () => {
    expect(() => readBounded("/no/such/file", 10)).toThrow(/ENOENT/);
    expect(() => readBounded(scratchFolder(), 1 << 20)).toThrow(/EISDIR/);
  });
});

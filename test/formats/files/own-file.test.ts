import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copyOwn, writeOwn } from "../../../src/formats/files/atomic-file.ts";
import { FileCorrupt } from "../../../src/formats/files/file-corrupt.ts";
import { openOwn, readOwnText } from "../../../src/formats/files/own-file.ts";
import { scratchFolder } from "../scratch-folder.ts";

const modes = ["read", "change", "update", "append", "replace"] as const;

describe.skipIf(process.platform === "win32")("an own file", () => {
  it("is no link, wherever that leads, and what is behind a link is neither read nor changed", () => {
    const folder = scratchFolder();
    const outside = join(scratchFolder(), "secret");
    writeFileSync(outside, "secret");
    symlinkSync(outside, join(folder, "out"));
    symlinkSync(join(folder, "none"), join(folder, "dangling"));
    for (const name of ["out", "dangling"]) {
      const path = join(folder, name);
      const refusal = `${path} is a symbolic link, not a regular file: put the file itself there`;
      for (const mode of modes) expect(() => openOwn(path, mode)).toThrow(refusal);
      expect(() => writeOwn(path, "x")).toThrow(refusal);
      expect(() => copyOwn(path, join(folder, "copy"))).toThrow(FileCorrupt);
    }
    expect(readFileSync(outside, "utf8")).toBe("secret");
    expect(readdirSync(folder).toSorted()).toEqual(["dangling", "out"]);
  });

  it("is no pipe, whose other end is not waited for, and no device", () => {
    const pipe = join(scratchFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const path of [pipe, "/dev/null"]) {
      const refusal = `${path} is a pipe, a socket or a device, not a regular file`;
      for (const mode of modes) expect(() => openOwn(path, mode)).toThrow(refusal);
      expect(() => writeOwn(path, "x")).toThrow(refusal);
    }
  });

  it("is read and written as it is, also in a folder behind a link", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "disk"));
    symlinkSync(join(folder, "disk"), join(folder, "runs"));
    const path = join(folder, "runs", "file");
    writeOwn(path, "one");
    for (const mode of modes.slice(0, 4)) closeSync(openOwn(path, mode));
    expect(readOwnText(path)).toBe("one");
    copyOwn(path, join(folder, "copy"));
    expect(readFileSync(join(folder, "copy"), "utf8")).toBe("one");
    closeSync(openOwn(path, "replace"));
    expect(readOwnText(path)).toBe("");
    expect(() => openOwn(join(folder, "none"), "read")).toThrow(expect.objectContaining({ code: "ENOENT" }));
  });
});

import { execFileSync, spawn } from "node:child_process";
import fs, {
  existsSync,
  mkdirSync,
  openSync,
  closeSync,
  lstatSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { assertWritable, writeAtomically, writeFully } from "../../../src/formats/files/atomic-file.ts";
import { FileNotWritten, writing } from "../../../src/formats/files/file-not-written.ts";
import { scratchFolder } from "../scratch-folder.ts";

/** The `FileNotWritten` that a step throws. */
function refusal(step: () => void): FileNotWritten {
  try {
    step();
  } catch (error) {
    if (error instanceof FileNotWritten) return error;
    throw error;
  }
  throw new Error("the step went through");
}

/** The syncs and renames from now on, in order: `sync PATH` and `rename PATH`. Linux gives the path of a handle. */
function watchDisk(): readonly string[] {
  const seen: string[] = [];
  const { fsyncSync, renameSync } = fs;
  vi.spyOn(fs, "fsyncSync").mockImplementation((handle) => {
    seen.push(`sync ${fs.readlinkSync(`/proc/self/fd/${handle}`)}`);
    fsyncSync(handle);
  });
  vi.spyOn(fs, "renameSync").mockImplementation((from, to) => {
    seen.push(`rename ${String(to)}`);
    renameSync(from, to);
  });
  // What has been imported by name follows the spies.
  syncBuiltinESMExports();
  return seen;
}

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describe("writeAtomically", () => {
  it("syncs the file, renames it, and then syncs the folder, so that the new name outlives a power cut", ({
    skip,
  }) => {
    skip(!existsSync("/proc/self/fd"), "needs Linux's /proc");
    const path = join(scratchFolder(), "a");
    const seen = watchDisk();
    writeAtomically(path, "x");
    expect(seen).toEqual([
      `sync ${join(dirname(path), `.a.${process.pid}.part`)}`,
      `rename ${path}`,
      `sync ${dirname(path)}`,
    ]);
  });

  it("writes text, bytes and several chunks, and leaves nothing else", () => {
    const folder = scratchFolder();
    const path = join(folder, "a");
    writeAtomically(path, "äöü");
    expect(readFileSync(path, "utf8")).toBe("äöü");
    writeAtomically(path, Uint8Array.of(1, 2));
    expect([...readFileSync(path)]).toEqual([1, 2]);
    writeAtomically(path, [Uint8Array.of(3), new Uint8Array(0), Uint8Array.of(4, 5)]);
    expect([...readFileSync(path)]).toEqual([3, 4, 5]);
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it("keeps what was there and removes its own part when the target is a folder", () => {
    const folder = scratchFolder();
    mkdirSync(join(folder, "target", "inner"), { recursive: true });
    const error = refusal(() => writeAtomically(join(folder, "target"), "x"));
    expect(error._tag).toBe("FileNotWritten");
    expect(error.path).toBe(join(folder, "target"));
    expect(error.message).toContain(error.remedy);
    expect(readdirSync(folder)).toEqual(["target"]);
  });

  it("writes where a symbolic link leads, and leaves the link", () => {
    const folder = scratchFolder();
    const other = join(scratchFolder(), "real");
    mkdirSync(join(folder, "inner"));
    symlinkSync(other, join(folder, "inner", "absolute"));
    symlinkSync("inner/absolute", join(folder, "relative"));
    for (const content of ["there is nothing yet", "something is there"]) {
      writeAtomically(join(folder, "relative"), content);
      expect(readFileSync(other, "utf8")).toBe(content);
    }
    for (const link of ["relative", "inner/absolute"])
      expect(lstatSync(join(folder, link)).isSymbolicLink()).toBe(true);
    expect(readdirSync(dirname(other))).toEqual(["real"]);
    symlinkSync("round", join(folder, "round"));
    expect(refusal(() => writeAtomically(join(folder, "round"), "x")).reason).toContain(
      "too many symbolic links",
    );
  });

  it("writes into devices and pipes, which stay what they are", async ({ skip }) => {
    skip(!existsSync("/dev/full"), "needs Linux's /dev/full");
    const link = join(scratchFolder(), "full");
    symlinkSync("/dev/full", link);
    expect(refusal(() => writeAtomically(link, "x")).reason).toBe("no space left on the device");
    expect(lstatSync("/dev/full").isCharacterDevice()).toBe(true);
    const pipe = join(scratchFolder(), "pipe");
    execFileSync("mkfifo", [pipe]);
    const reader = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "ignore"] });
    const read = text(reader.stdout);
    writeAtomically(pipe, "through");
    expect(await read).toBe("through");
    expect(lstatSync(pipe).isFIFO()).toBe(true);
  });

  it("says what is in the way", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "file"), "");
    expect(refusal(() => writeAtomically(join(folder, "file", "a"), "x")).reason).toContain("not a folder");
    expect(refusal(() => writeAtomically(join(folder, "none", "a"), "x")).reason).toContain("does not exist");
  });

  it("lets the caller's own mistakes through", () => {
    expect(() => writeAtomically("a\0b", "x")).toThrow(TypeError);
  });
});

describe("writing", () => {
  it("distinguishes a full disk from /dev/full, which refuses every byte", ({ skip }) => {
    skip(!existsSync("/dev/full"), "needs Linux's /dev/full");
    const file = openSync("/dev/full", "w");
    const error = refusal(() => writing("weights", () => writeFully(file, Uint8Array.of(1))));
    closeSync(file);
    expect(error.message).toBe(
      "cannot write weights: no space left on the device; free some space or choose another folder",
    );
    expect((error.cause as NodeJS.ErrnoException).code).toBe("ENOSPC");
  });
});

describe("assertWritable", () => {
  it("passes where files can be made, the folder there or not, and leaves nothing behind", () => {
    const folder = scratchFolder();
    assertWritable(folder);
    assertWritable(join(folder, "new", "deep"), 1);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("refuses a path through a file, and more bytes than any disk has", () => {
    const folder = scratchFolder();
    writeFileSync(join(folder, "file"), "");
    expect(refusal(() => assertWritable(join(folder, "file"))).reason).toContain("not a folder");
    expect(refusal(() => assertWritable(join(folder, "file", "runs"))).reason).toContain("not a folder");
    expect(refusal(() => assertWritable(folder, 2 ** 70)).reason).toContain("are needed");
    expect(readdirSync(folder)).toEqual(["file"]);
  });
});

import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { outputTo } from "../../../src/cli/progress/output.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it.skipIf(process.platform === "win32")(
  "to a terminal that takes nothing holds up nobody, and writes everything in order when it continues",
  async () => {
    // A named pipe takes 64 KiB and then nothing until it is read, as a terminal that is stopped.
    const path = join(scratchFolder(), "terminal");
    execFileSync("mkfifo", [path]);
    const file = openSync(path, constants.O_RDWR);
    try {
      const out = outputTo({ isTTY: true, columns: 70, fd: file } as NodeJS.WriteStream & { fd: number });
      expect([out.isTTY, out.columns]).toEqual([true, 70]);
      const texts = ["a".repeat(100_000), "é", "b".repeat(10)];
      const written = texts.map((text) => out.write(text));
      const all = Promise.all(written).then(() => "written");
      expect(await Promise.race([all, setTimeout(30, "waiting")])).toBe("waiting");
      const length = Buffer.byteLength(texts.join(""));
      const read = Buffer.alloc(length);
      for (let done = 0; done < length; await setTimeout(1))
        done += readSync(file, read, done, Math.min(65_536, length - done), null);
      expect(await all).toBe("written");
      expect(read.toString()).toBe(texts.join(""));
    } finally {
      closeSync(file);
    }
  },
);

it("to a pipe reports when the text has been taken, and stays quiet when nobody reads any more", async () => {
  const stream = new PassThrough();
  const out = outputTo(stream as unknown as NodeJS.WriteStream & { fd: number });
  expect(out.isTTY).toBe(false);
  await out.write("one ");
  await out.write("two");
  expect(String(stream.read())).toBe("one two");
  stream.on("error", () => {});
  stream.destroy(new Error("EPIPE"));
  await out.write("three");
});

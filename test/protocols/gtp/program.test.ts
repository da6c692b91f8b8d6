import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { startedCommand } from "../../../src/protocols/gtp/program.ts";

const folder = mkdtempSync(join(tmpdir(), "ludoflow-program-"));
afterAll(() => rmSync(folder, { recursive: true }));
const program = join(folder, "player");
writeFileSync(program, "#!/bin/sh\n");
chmodSync(program, 0o755);

describe.skipIf(process.platform === "win32")("the command of a program", () => {
  it("is looked for on the PATH", () => {
    expect(startedCommand(["player", "--level", "1"], { PATH: `/nowhere:${folder}` })).toEqual([
      program,
      "--level",
      "1",
    ]);
    expect(startedCommand([program], {})).toEqual([program]);
  });

  it("has the words of environment variables in place of their names", () => {
    const environment = { PATH: folder, PLAYER: ` player  -x\t--folder=$HOME `, THREADS: "2" };
    expect(startedCommand(["$PLAYER", "-t", "$THREADS", "$1", "a$THREADS"], environment)).toEqual([
      program,
      "-x",
      "--folder=$HOME",
      "-t",
      "2",
      "$1",
      "a$THREADS",
    ]);
  });

  it("is refused with the reason and what to do", () => {
    expect(() => startedCommand(["$PLAYER"], {})).toThrow(/variable PLAYER, which is not set; set it to/);
    expect(() => startedCommand(["$PLAYER"], { PLAYER: "  " })).toThrow(/which is not set/);
    expect(() => startedCommand(["no-such-program"], { PATH: folder })).toThrow(
      /no program "no-such-program" on the PATH or in \/usr\/games, .*; install it/,
    );
    expect(() => startedCommand([folder], {})).toThrow(/is not an executable file; install it/);
  });
});

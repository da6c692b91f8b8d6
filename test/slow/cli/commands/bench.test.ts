import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { ludoflow } from "../../../cli/run-cli.ts";

describe("ludoflow bench", () => {
  it("refuses, before it measures, what it cannot write and settings of other benches", async () => {
    const folder = scratchFolder();
    const said = async (...args: string[]) => {
      const { code, out, err } = await ludoflow(["bench", ...args], folder).ended;
      return { code, out, err: err.trim() };
    };
    expect(await said("events", "--out", "missing/events.json")).toEqual({
      code: 2,
      out: "",
      err: `--out missing/events.json: the folder ${join(folder, "missing")} does not exist; create it or name another`,
    });
    expect(existsSync(join(folder, "missing"))).toBe(false);
    expect(await said("events", "--out", ".")).toEqual({
      code: 2,
      out: "",
      err: "--out . is a folder; name a file",
    });
    expect(await said("games", "--threads", "2")).toEqual({
      code: 2,
      out: "",
      err: "--threads is for compute, not for games",
    });
  });
});

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newReturnKey } from "../../../src/web/server/access.ts";
import { rememberedPage, rememberPage } from "../../../src/web/server/remembered-page.ts";

describe("what the server of a folder leaves to the next one", () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-remembered-"));
  const state = process.env["XDG_STATE_HOME"];
  beforeAll(() => {
    process.env["XDG_STATE_HOME"] = join(folder, "state");
  });
  afterAll(() => {
    if (state === undefined) delete process.env["XDG_STATE_HOME"];
    else process.env["XDG_STATE_HOME"] = state;
    rmSync(folder, { recursive: true });
  });
  const runs = join(folder, "runs");
  const file = () => {
    const place = join(folder, "state/ludoflow/pages");
    return join(place, readdirSync(place)[0]!);
  };

  it("is for this folder alone, under all of its names, and readable by this user alone", () => {
    mkdirSync(runs);
    symlinkSync(runs, join(folder, "link"));
    expect(rememberedPage(runs)).toBeUndefined();
    const key = newReturnKey();
    rememberPage(runs, { port: 8080, key });
    rememberPage(runs, { port: 8081, key });
    expect(rememberedPage(join(folder, "link"))).toEqual({ port: 8081, key });
    expect(rememberedPage(folder)).toBeUndefined();
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(newReturnKey()).not.toBe(key);
  });

  it("is ignored if others can read the file", () => {
    chmodSync(file(), 0o644);
    expect(rememberedPage(runs)).toBeUndefined();
  });

  it("is undefined if it cannot be written", () => {
    process.env["XDG_STATE_HOME"] = "/dev/null";
    rememberPage(runs, { port: 1, key: newReturnKey() });
    expect(rememberedPage(runs)).toBeUndefined();
    process.env["XDG_STATE_HOME"] = join(folder, "state");
  });
});

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { reportLaws } from "../../src/cli/laws.ts";
import { loadNamed } from "../../src/cli/flags/plugin-flags.ts";
import { openGame } from "../../src/games/registry.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";

const hex = readFileSync(join(import.meta.dirname, "../../examples/own-game/hex.ts"), "utf8").replace(
  "default: 11",
  "default: 3",
);
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
afterEach(() => void vi.restoreAllMocks());

function write(name: string, change: (text: string) => string = (text) => text): string {
  const path = join(scratch, `${name}.ts`);
  writeFileSync(path, change(hex.replace('name: "hex"', `name: "${name}"`)));
  return path;
}

/** What is written while something runs. */
function said(act: () => unknown): { readonly out: string; readonly err: string } {
  const texts = { out: "", err: "" };
  const take = (key: "out" | "err") => (text: unknown) => {
    texts[key] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(take("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(take("err"));
  act();
  vi.restoreAllMocks();
  return texts;
}

it("prints which laws the games of plug-ins break, after which moves", () => {
  const good = loadPlugin(write("good"));
  expect(said(() => expect(reportLaws([good])).toBe(true))).toEqual({
    out: "good: 100 random games and nothing wrong\n",
    err: "",
  });
  const shares = loadPlugin(
    write("shares", (text) => text.replace("into.board.set(from.board)", "into.board = from.board")),
  );
  expect(said(() => expect(reportLaws([good, shares])).toBe(false)).err).toBe(
    "shares: copy shares `board` with the original: copy its contents\n",
  );
  const dice = loadPlugin(
    write("dice", (text) => text.replace("let first = false;", "let first = Math.random() < 0;")),
  );
  expect(said(() => reportLaws([dice], openGame("dice", { size: 2 }))).err).toMatch(
    /^warning: .*dice\.ts:\d+:\d+: Math\.random gives another result each time/,
  );
  expect(said(() => expect(reportLaws([])).toBe(true)).err).toMatch(/no game of a plug-in/);
});

it("loads what the command line names, as a path from the working directory", () => {
  loadNamed({ plugin: [write("named")] });
  expect(openGame("named").actions).toBe(9);
  expect(() => loadNamed({ plugin: ["no-such-package"] })).toThrow(
    /^plug-in no-such-package: no package "no-such-package" is installed/,
  );
  expect(() => loadNamed({ plugin: ["./none.ts"] })).toThrow(/^plug-in .\/none\.ts: no such file/);
});

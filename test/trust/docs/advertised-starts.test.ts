import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bin } from "../../cli/run-cli.ts";
import { type Advertised, advertised, experimentsNamed, shipped } from "../../docs/advertised.ts";
import { root } from "../../docs/pages.ts";

/** A folder as that of somebody who has installed the package, with a game of their own. */
const installed = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(installed, { recursive: true, force: true }));
copyFileSync(join(root, "examples/own-game/hex.ts"), join(installed, "hex.ts"));

/** Programs by the names that lines of a shell have for them. Opponents are not started, so anything may stand for them. */
const programs = join(installed, "bin");
mkdirSync(programs);
for (const [name, line] of [
  ["ludoflow", `exec "${process.execPath}" "${bin}" "$@"`],
  ["npx", 'exec "$@"'],
  ["gnugo", "exit 1"],
]) {
  writeFileSync(join(programs, name!), `#!/bin/sh\n${line}\n`);
  chmodSync(join(programs, name!), 0o755);
}
const env = {
  ...process.env,
  PATH: `${programs}${delimiter}${process.env["PATH"]}`,
  LUDOFLOW_PACHI: process.execPath,
  LUDOFLOW_PENTOBI: process.execPath,
  LUDOFLOW_GRHINO: process.execPath,
};

/** Whether a command needs what only its reader has: a run, a file, a value in the place of a word of capitals. */
const needsReader = ({ words }: Advertised) =>
  words.some((word) =>
    /\b[A-Z]{2,}\b|\$|^runs(?:$|\/)|\.(?:yaml|sgf|zip|h5|html|csv)\b|^agent$|sources=/.test(word),
  );

/** What checks what the commands with experiments would start: by the changes of the file, the names of the files. */
function checks(): Map<string, string[]> {
  const names = new Map<string, Set<string>>();
  for (const each of advertised()) {
    if (!["run", "match", "sweep", "check", "graph"].includes(each.words[0] ?? "")) continue;
    const sets = each.words.filter((word, i) =>
      /^--(?:set|seed)$/.test((word.startsWith("--") ? word : each.words[i - 1]) ?? ""),
    );
    const changes = needsReader(each) ? "[]" : JSON.stringify(sets);
    for (const name of experimentsNamed(each).filter((one) => shipped.has(one)))
      names.set(changes, (names.get(changes) ?? new Set<string>()).add(name));
  }
  return new Map([...names].map(([changes, of]) => [changes, [...of].toSorted()]));
}

/** The lines that can be typed as they are, and that end by themselves or at the end of their input. */
function lines(): string[] {
  const ending = ["operators", "experiments", "play", "gtp", "referee", "--help", "--version"];
  return [
    ...new Set(
      advertised()
        .filter((each) => each.whole && ending.includes(each.words[0] ?? "") && !needsReader(each))
        .map(({ line }) => line.replace(/^\$ /, "")),
    ),
  ];
}

describe.each([
  ["a clone", root],
  ["the folder of an installed package", installed],
])("in %s", (_, cwd) => {
  it.each([...checks()])("what they would run is valid, with the changes %s", (changes, names) => {
    const words = JSON.parse(changes) as string[];
    const { status, stderr } = spawnSync(process.execPath, [bin, "check", ...words, ...names], {
      cwd,
      env,
      encoding: "utf8",
    });
    expect([status, status === 0 ? "" : stderr]).toEqual([0, ""]);
  });
});

describe("beside an installed package, with no input of a person", () => {
  it.each(lines())("%s", (line) => {
    const { status, stderr, stdout } = spawnSync("sh", ["-c", line], {
      cwd: installed,
      env,
      encoding: "utf8",
      input: line.includes("ludoflow gtp") ? "protocol_version\nquit\n" : "",
    });
    // A game that its player leaves is not played to its end.
    expect([0, line.includes("--human") ? 1 : 0], `${stdout}${stderr}`).toContain(status);
    expect(stdout).not.toBe("");
  });
});

import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { bin, ludoflow } from "../../cli/run-cli.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const fake = join(import.meta.dirname, "../../protocols/gtp/fake-gtp.ts");
let folder = "";
let before: string | undefined;
beforeEach(() => {
  folder = scratchFolder();
  before = process.env["XDG_CONFIG_HOME"];
  process.env["XDG_CONFIG_HOME"] = join(folder, "settings");
  // In one argument: a file that an argument names is a part of the content, and the program writes this one.
  const line = `exec '${process.execPath}' '${fake}' nothing 0 '${join(folder, "pids")}'`;
  const command = JSON.stringify(["/bin/sh", "-c", line]);
  writeFileSync(
    join(folder, "match.yaml"),
    "name: peers\nseed: 1\nworkers: 1\ngame: { rules: tic-tac-toe }\nagents:\n  uct: { use: uct, simulations: 20 }\n" +
      `  fake: { use: gtp, command: ${command} }\n` +
      "graph:\n  match: { use: arena, agents: [uct, fake], games: 4, inFlight: 1 }\n",
  );
});
afterEach(() => {
  if (before === undefined) delete process.env["XDG_CONFIG_HOME"];
  else process.env["XDG_CONFIG_HOME"] = before;
});

/** How often the program of the file was started. */
const starts = () =>
  existsSync(join(folder, "pids")) ? readFileSync(join(folder, "pids"), "utf8").split("\n").length - 1 : 0;
const cli = async (...args: string[]) => await ludoflow(args, folder).ended;

it("is needed by commands that start programs; the others go without and say so", async () => {
  for (const command of [["run"], ["check", "--cost"]]) {
    const refused = await cli(...command, "match.yaml");
    expect([refused.code, refused.out]).toEqual([2, ""]);
    expect(refused.err).toMatch(/agent "fake" names a program: .*fake-gtp\.ts' nothing 0[^]*--allow-code/);
  }
  expect(existsSync(join(folder, "runs"))).toBe(false);
  for (const command of ["check", "graph"]) {
    const { code, err } = await cli(command, "match.yaml");
    expect([code, err]).toEqual([0, "match.yaml: not started here, these agents are other programs: fake\n"]);
  }
  expect(starts()).toBe(0);

  expect((await cli("match", "match.yaml", "--allow-code", "--out", "run")).code).toBe(0);
  const started = starts();
  expect(started).toBeGreaterThan(0);
  // The flag holds for one command.
  expect(existsSync(join(folder, "settings"))).toBe(false);

  for (const game of [0, 3]) {
    const replay = await cli("replay", "run", "--game", String(game));
    expect(replay.out).toMatch(/: every move, value and draw is the same\n$/);
    expect([replay.code, replay.err]).toEqual([
      0,
      "not started here, these agents are other programs: fake. Their moves are those of the record\n",
    ]);
  }
  expect((await cli("report", "run")).code).toBe(0);
  expect(starts()).toBe(started);
});

// `script` (util-linux) gives a command a terminal.
const script = ["/usr/bin/script", "/bin/script"].find((path) => existsSync(path));
it("is asked for once on a terminal, and remembered until the content changes", async ({ skip }) => {
  skip(script === undefined || process.platform !== "linux", "no script: Debian's package bsdutils");
  const onTerminal = (answer: string, out: string) =>
    new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
      const command = `'${process.execPath}' '${bin}' run match.yaml --out ${out}`;
      const child = spawn(script!, ["-qec", command, "/dev/null"], { cwd: folder });
      let said = "";
      child.stdout.on("data", (bytes: Buffer) => {
        const asked = said.includes("Allow it?");
        said += bytes.toString();
        if (!asked && said.includes("Allow it?")) child.stdin.write(answer);
      });
      child.on("close", (code) => resolve({ code, said }));
    });
  const no = await onTerminal("n\n", "no");
  expect(no.said).toMatch(/agent "fake" names a program: .*fake-gtp/);
  expect([no.code, existsSync(join(folder, "no")), starts()]).toEqual([2, false, 0]);
  expect((await onTerminal("\u0003", "break")).code).toBe(2);
  expect(existsSync(join(folder, "break"))).toBe(false);
  expect((await onTerminal("y\n", "yes")).code).toBe(0);
  expect(starts()).toBeGreaterThan(0);
  expect(readdirSync(join(folder, "settings/ludoflow/allowed-code"))).toHaveLength(1);
  // A user who is not asked needs no terminal.
  expect((await cli("run", "match.yaml", "--out", "elsewhere")).code).toBe(0);
  const file = join(folder, "match.yaml");
  writeFileSync(file, readFileSync(file, "utf8").replace(" nothing ", " anything "));
  expect((await cli("run", "match.yaml", "--out", "changed")).code).toBe(2);
});

it("leaves parts unchecked without it, which --strict turns into exit code 3, and a mistake into 2", async () => {
  writeFileSync(join(folder, "own.ts"), "export {};\n");
  const text =
    "name: own\nseed: 1\nplugins: [./own.ts]\ngame: { rules: own }\n" +
    "agents: { one: { use: random } }\ngraph: { match: { use: arena, agents: [one], games: 2 } }\n";
  writeFileSync(join(folder, "own.yaml"), text);
  writeFileSync(join(folder, "wrong.yaml"), text.replace("games: 2", "games: two"));
  const codes = async (...args: string[]) => (await cli("check", ...args)).code;
  expect(await codes("own.yaml")).toBe(0);
  expect(await codes("own.yaml", "--strict")).toBe(3);
  expect(await codes("match.yaml", "--strict")).toBe(0);
  expect(await codes("own.yaml", "wrong.yaml", "--strict")).toBe(2);
});

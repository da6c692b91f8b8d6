import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openGame } from "../../../src/games/registry.ts";
import { agentKinds } from "../../../src/operators/experiment/agent-kinds.ts";
import type { GtpPlayer } from "../../../src/protocols/gtp/player.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { gone, pidsIn, running } from "../../workers/processes.ts";
import { eventsIn, ludoflow } from "../../cli/run-cli.ts";

const bin = join(import.meta.dirname, "../../../bin/ludoflow.js");
let folder = "";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-gtp-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

/** The responses to some input, and how the command ends. */
function converse(args: readonly string[], input: string, leaveOpen = false) {
  const child = spawn(process.execPath, [bin, "gtp", ...args], { stdio: ["pipe", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  child.stdin.on("error", () => undefined);
  child.stdin.write(input);
  if (!leaveOpen) child.stdin.end();
  return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.on("close", (code) => resolve({ code, out, err })),
  );
}

describe("ludoflow gtp", () => {
  it("responds to lines until the input ends, the last one without an end", async () => {
    const agent = file("agent.yaml", "game: { rules: tic-tac-toe }\nagent: { use: random }\n");
    const { code, out } = await converse(
      [agent, "--seed", "3"],
      "1 name\r\n\nplay b b2\nnonsense\n2 play w b2\n3 quix\ng",
    );
    expect(out).toMatch(
      /^=1 ludoflow\n\n= \n\n\? unknown command\n\n\?2 illegal move: b2\n\n\?3 unknown command\n\n= [abc][123]\n\n$/,
    );
    expect(code).toBe(0);
  });

  it("takes an agent of a match file by --agent, whatever other programs the file names", async () => {
    const match = file(
      "match.yaml",
      `name: match
seed: 1
game: { rules: tic-tac-toe }
nets: {}
agents:
  ours: { use: uct, simulations: 200 }
  drawing: { use: random }
  other: { use: gtp, command: [no-such-program] }
graph: { duel: { use: arena, agents: [ours, drawing, other], games: 2 } }
`,
    );
    // Crosses have two in a row, and noughts are to move: only a3 keeps the game.
    const input = "play b a1\nplay w b3\nplay b a2\ngenmove w\n";
    const { code, out } = await converse([match, "--agent", "ours"], input);
    expect(out).toBe("= \n\n= \n\n= \n\n= a3\n\n");
    expect(code).toBe(0);
    const wrong = await converse([match, "--agent", "our"], input);
    expect(wrong.err).toContain('has no agent "our"; did you mean "ours"? (known: ours, drawing, other)');
    expect(wrong.code).toBe(2);
  });

  it("ends at quit, though its input stays open, and responds to nothing after it", async () => {
    const agent = file("alone.json", '{ "use": "random" }');
    const { code, out } = await converse([agent, "--game", "blokus-duo"], "g\n9 quit\nname\n", true);
    expect(out).toMatch(/^= \S*e10\S*\n\n=9 \n\n$/);
    expect(code).toBe(0);
  });

  it("refuses mistakes with exit code 2 and a line that says what is wrong", async () => {
    const mistakes: readonly (readonly [string[], RegExp])[] = [
      [
        [file("bad.yaml", "agent: { use: random }\ngmae: 1\n")],
        /bad\.yaml:2:1: unknown key "gmae"; did you mean "game"\? \(known beside "agent": game\)\n$/,
      ],
      [
        [file("chess.yaml", "agent: { use: random }\ngame: { rules: chess }\n")],
        /chess\.yaml:2:7: GTP is not spoken for the game "chess"; ludoflow does not have this game: .* \(known: /,
      ],
      [[file("use.yaml", "use: gredy\n"), "--game", "blokus"], /use\.yaml: .*did you mean "greedy"\?/],
      [[file("bare.yaml", "use: random\n")], /bare\.yaml: names no game; write game: \{ rules: \.\.\. \}/],
      [
        [file("line.yaml", "game: { rules: go }\nagent:\n  use: gredy\n")],
        /line\.yaml:3:3: agent: unknown search "gredy"/,
      ],
      [
        [file("size.yaml", "game: { rules: go, size: 20 }\nagent: { use: random }\n")],
        /size\.yaml:1:7: .*size/,
      ],
      [[file("yaml.yaml", "game: { rules: go\n")], /yaml\.yaml:2:1: YAML: /],
      [[join(folder, "none.yaml")], /no such file ".*none\.yaml"/],
      [[file("ok.yaml", "use: random\n"), "--seed", "x"], /expected a whole number/],
    ];
    const ends = await Promise.all(mistakes.map(([args]) => converse(args, "name\n")));
    for (const [index, { code, out, err }] of ends.entries()) {
      expect(err).toMatch(mistakes[index]![1]);
      expect([code, out]).toEqual([2, ""]);
    }
  });

  it("plays Duo against itself through two processes, the same game every time", async () => {
    const game = openGame("blokus-duo");
    const agent = file("duo.yaml", "game: { rules: blokus-duo }\nagent: { use: random }\n");
    const command = [process.execPath, bin, "gtp", agent];
    const players = [0, 1].map(
      () => openSearch("gtp", game, { command, timeoutMs: 55_000 }, agentKinds()) as GtpPlayer<unknown>,
    );
    const play = (name: string) => {
      const seats = players.map((search, seat) => ({
        search,
        random: Random.named(name, seat),
        evaluator: -1,
      }));
      return driveEpisode(episode(game, seats, Random.named(name)), []);
    };
    const first = play("one");
    expect(first.failure).toBe(undefined);
    expect(first.actions.length).toBeGreaterThan(15);
    expect(play("two").actions).not.toEqual(first.actions);
    expect(play("one")).toEqual(first);
    for (const player of players) player.stop();
  });
});

describe("a run with a GTP agent", () => {
  it("continues when the program dies in its games, counts that, and leaves no process behind", async () => {
    const pids = join(folder, "pids-match");
    const fake = join(import.meta.dirname, "../../protocols/gtp/fake-gtp.ts");
    const program = JSON.stringify([process.execPath, fake, "die", "5", pids]);
    const experiment = file(
      "failing.yaml",
      `name: failing
seed: 3
workers: 2
game: { rules: tic-tac-toe }
agents:
  ours: { use: random }
  other: { use: gtp, command: ${program} }
graph:
  games: { use: arena, agents: [ours, other], games: 8, inFlight: 1, onFailure: forfeit }
`,
    );
    const flags = ["--allow-code", "--json", "--out", join(folder, "failing")];
    const { code, out } = await ludoflow(["run", experiment, ...flags]).ended;
    expect(code).toBe(0);
    const { contest } = eventsIn(out).find((event) => event.type === "match")!;
    expect(contest!.games).toBe(8);
    // A process that plays on for two games makes its fifth move in the second of them.
    const [failures] = contest!.failures;
    expect(failures!.agent).toBe("other");
    expect(failures!.games).toBeGreaterThanOrEqual(2);
    expect(failures!.message).toMatch(/it ended with exit code 3, saying: out of memory$/);
    expect(pidsIn(pids).length).toBeGreaterThan(2);
    await gone(pidsIn(pids));
  });

  it("does not begin if there is no such program", async () => {
    const experiment = file(
      "missing.yaml",
      `name: missing
seed: 1
game: { rules: tic-tac-toe }
agents: { other: { use: gtp, command: [no-such-program, --level, "1"] } }
graph: { games: { use: arena, agents: [other], games: 1 } }
`,
    );
    const out = join(folder, "missing");
    const { code, err } = await ludoflow(["run", experiment, "--out", out]).ended;
    expect(err).toMatch(/^agent "other": there is no program "no-such-program" on the PATH /m);
    expect([code, existsSync(out)]).toEqual([2, false]);
    const checked = await ludoflow(["check", experiment]).ended;
    expect(checked.err).toMatch(
      /missing.yaml: agent "other": there is no program "no-such-program" on the PATH /m,
    );
    expect(checked.code).toBe(2);
  });

  for (const signal of ["SIGINT", "SIGKILL"] as const)
    it(`leaves no process behind after ${signal}`, async () => {
      const pids = join(folder, `pids-${signal}`);
      const hang = `echo $$ >> "${pids}"; trap "" TERM INT HUP PIPE; while :; do sleep 1; done`;
      const experiment = file(
        `${signal}.yaml`,
        `name: hanging
seed: 1
workers: 1
game: { rules: tic-tac-toe }
agents:
  ours: { use: random }
  other: { use: gtp, command: [/bin/sh, -c, ${JSON.stringify(hang)}] }
graph:
  games: { use: arena, agents: [ours, other], games: 2 }
`,
      );
      const out = join(folder, `run-${signal}`);
      const command = ludoflow(["run", experiment, "--allow-code", "--out", out]);
      while (pidsIn(pids).length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
      expect(running(pidsIn(pids))).toEqual(pidsIn(pids));
      command.process.kill(signal);
      await command.ended;
      await gone(pidsIn(pids));
    });
});

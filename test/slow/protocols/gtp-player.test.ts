import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { agentKinds } from "../../../src/operators/experiment/agent-kinds.ts";
import { GameTable } from "../../../src/operators/play/game-table.ts";
import type { GtpPlayer } from "../../../src/protocols/gtp/player.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { type Episode, episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import type { Search } from "../../../src/search/search.ts";
import { gone, pidsIn, running } from "../../workers/processes.ts";
import { bareExperiment } from "../../operators/bare-experiment.ts";

const fake = join(import.meta.dirname, "../../protocols/gtp/fake-gtp.ts");
const game: Game<unknown> = openGame("tic-tac-toe");
const random = openSearch("random", game);
let folder = "";
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-gtp-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** An agent that is the fake program, doing something wrong at one of its moves. */
function fakeAgent(wrong: string, at: number, options: object = {}) {
  const pids = join(folder, `pids-${files++}`);
  const command = [process.execPath, fake, wrong, String(at), pids];
  const agent = openSearch(
    "gtp",
    game,
    { command, timeoutMs: 30_000, ...options },
    agentKinds(),
  ) as GtpPlayer<unknown>;
  return { agent, command, pids: () => pidsIn(pids) };
}

/** A table with the fake program as `other`, beside `mover`, who plays at random. */
function fakeTable(options: object) {
  const { command, pids } = fakeAgent("nothing", 0);
  const other = {
    use: "gtp",
    command,
    dialect: "pentobi",
    setUp: [],
    perSeat: true,
    timeoutMs: 30_000,
    restart: "after-failure",
    ...options,
  };
  const table = new GameTable(bareExperiment({ agents: { other, mover: { use: "random" } } }), {});
  return { table, pids };
}

/** A game between these, one a seat. */
function play(searches: readonly Search<unknown>[], on = game, name = "game"): Episode<unknown> {
  const seats = searches.map((search, seat) => ({ search, random: Random.named(name, seat), evaluator: -1 }));
  return driveEpisode(episode(on, seats, Random.named(name)), []);
}

describe("a GTP program as an agent", () => {
  it("plays whole games, either side first, in one process", async () => {
    const { agent, pids } = fakeAgent("nothing", 0);
    for (const [number, seats] of [
      [random, agent],
      [agent, random],
      [random, agent],
    ].entries()) {
      const { failure, actions, decisions } = play(seats, game, `game ${number}`);
      expect(failure).toBe(undefined);
      expect(actions.length).toBeGreaterThanOrEqual(5);
      expect(decisions.every(({ values }) => values.every((value) => value === 0))).toBe(true);
    }
    expect(pids()).toHaveLength(1);
    expect(running(pids())).toEqual(pids());
    agent.stop();
    await gone(pids());
  });

  it("plays all seats of its agent in one process, where it is to", () => {
    const { agent, pids } = fakeAgent("nothing", 0);
    const { failure, actions } = play([agent, agent]);
    expect(failure).toBe(undefined);
    // Row by row from the top, so the first player wins on the diagonal with its fourth move.
    expect([...actions]).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(pids()).toHaveLength(1);
    agent.stop();
  });

  it("has a process for each seat at a table, or one for all", async () => {
    for (const perSeat of [true, false]) {
      const { pids, table } = fakeTable({ perSeat, restart: "every-game" });
      const task = {
        stage: "games",
        name: ["games", 0],
        index: 0,
        generation: 0,
        seats: ["other", "other"],
        versions: [{}, {}],
      };
      const { plies } = driveEpisode(table.start({ task, tables: [] }, 0), []);
      expect(plies).toBe(7);
      expect(pids()).toHaveLength(perSeat ? 2 : 1);
      for (const pid of pids()) process.kill(pid);
      await gone(pids());
    }
  });

  it("plays game after game in one process, in whatever seat and at whatever place its agent sits", async () => {
    const { pids, table } = fakeTable({});
    const records = [0, 1, 2, 3].map((index) => {
      const seats = index % 2 === 0 ? ["other", "mover"] : ["mover", "other"];
      const task = {
        stage: "games",
        name: ["games", index],
        index,
        generation: 0,
        seats,
        versions: [{}, {}],
      };
      return driveEpisode(table.start({ task, tables: [] }, index), []).record;
    });
    expect(pids()).toHaveLength(1);
    for (const pid of pids()) process.kill(pid);
    await gone(pids());
    // A process of its own plays the same game.
    const alone = fakeTable({});
    const seats = ["mover", "other"];
    const task = { stage: "games", name: ["games", 3], index: 3, generation: 0, seats, versions: [{}, {}] };
    expect(driveEpisode(alone.table.start({ task, tables: [] }, 0), []).record).toEqual(records[3]);
    for (const pid of alone.pids()) process.kill(pid);
    await gone(alone.pids());
  });

  it("may write other lines before a response, if its agent says so", async () => {
    const skips = { chatter: "skip" };
    const { agent, pids } = fakeAgent("chatter", 2, skips);
    // The line behind the response comes before the next one.
    expect(play([agent, random]).failure).toBe(undefined);
    expect(pids()).toHaveLength(1);
    agent.stop();
    const endless = fakeAgent("chatter without end", 1, skips);
    expect(play([endless.agent, random]).failure?.message).toMatch(
      /chatters without a response to "genmove b"$/,
    );
    const alone = fakeAgent("chatter alone", 1, { ...skips, timeoutMs: 1500 });
    expect(play([alone.agent, random]).failure?.message).toMatch(
      /gave no response to "genmove b" .*; the last line that was skipped is "Welcome"$/,
    );
    await gone([...pids(), ...endless.pids(), ...alone.pids()]);
  });

  it("receives the position of a game that begins with another one than the rules have, and of no game", () => {
    const reading = game.notation.parsePosition("xx1/oo1/3 x");
    if ("error" in reading) throw new Error(reading.error.message);
    const seats = (agent: Search<unknown>) =>
      [agent, agent].map((search, seat) => ({ search, random: Random.named("set up", seat), evaluator: -1 }));
    const from = (agent: Search<unknown>) =>
      driveEpisode(episode(game, seats(agent), Random.named("set up"), { start: reading.state }), []);
    const { agent, pids } = fakeAgent("positions", 0);
    // The first free cell wins.
    expect([...from(agent).actions]).toEqual([2]);
    expect(play([agent, random]).failure).toBe(undefined);
    expect([...from(agent).actions]).toEqual([2]);
    agent.stop();
    const other = fakeAgent("positions", 0).agent;
    const searched = other.search(reading.state, Random.named("no game")).next();
    expect(searched).toMatchObject({ done: true, value: { action: 2 } });
    other.stop();
    expect(pids()).toHaveLength(1);
    const unable = fakeAgent("nothing", 0).agent;
    expect(from(unable).failure?.message).toMatch(
      /cannot be told the position "xx1\/oo1\/3 x": it does not know the command setposition$/,
    );
    unable.stop();
  });

  it("gives a game up by resign: it has lost, and its process plays on", () => {
    const { agent } = fakeAgent("resign", 2);
    const { failure, resigned, returns, actions } = play([agent, random]);
    expect(failure).toBeUndefined();
    expect(resigned).toBe(0);
    expect(returns).toEqual([0, 1]);
    expect(actions).toHaveLength(2);
  });

  const harm: readonly (readonly [string, RegExp])[] = [
    [
      "garbage",
      /responded to "genmove b" with "thinking about it", which is no GTP response to it; an agent with chatter: skip skips such lines$/,
    ],
    ["another id", /responded to "genmove b" with "=\d+9 a1", which is no GTP response to it$/],
    ["illegal", /responded to "genmove b" with "z9", which is no legal move$/],
    ["pass", /passed, with 7 legal moves left$/],
    ["refuse", /refused "genmove b": "out of ideas"$/],
    ["refuse play", /refused "play w [abc][123]": "illegal move"$/],
    ["die", /gone at "genmove b": it ended with exit code 3, saying: out of memory$/],
    ["die with a child", /gone at "genmove b": it ended with exit code 0$/],
    ["flood lines", /responds to "genmove b" without an end$/],
    ["flood a line", /responds to "genmove b" without an end$/],
  ];
  for (const [wrong, message] of harm)
    it(`fails in the game, is ended and is started anew for the next one: ${wrong}`, async () => {
      const { agent, command, pids } = fakeAgent(wrong, 2);
      const { failure, actions } = play([agent, random]);
      expect(failure?.seat).toBe(0);
      expect(failure?.message.startsWith(`${command.join(" ")}: `)).toBe(true);
      expect(failure?.message).toMatch(message);
      expect(actions).toHaveLength(2);
      await gone(pids());
      const before = pids().length;
      // Its first move is well, and it has two other seats' moves before its second.
      expect(play([random, agent]).failure?.seat).toBe(1);
      expect(pids().length).toBeGreaterThan(before);
      await gone(pids());
    });

  it("fails where it does not respond in time, and is ended whatever it ignores", async () => {
    // A shell, which starts at once however busy the machine is.
    const pids = join(folder, "hanging");
    const hang = `echo $$ >> "${pids}"; trap '' TERM INT HUP PIPE
      while read -r id name rest; do
        [ "$name" = genmove ] && while :; do sleep 1; done
        printf '=%s\\n\\n' "$id"
      done`;
    const options = { command: ["/bin/sh", "-c", hang], timeoutMs: 1500 };
    const agent = openSearch("gtp", game, options, agentKinds());
    for (const times of [1, 2]) {
      const { failure, actions } = play([random, agent]);
      expect(failure?.message).toMatch(
        /gave no response to "genmove w" within 15\d\d ms(?: of its own time |$)/,
      );
      expect(actions).toHaveLength(1);
      expect(pidsIn(pids)).toHaveLength(times);
      await gone(pidsIn(pids));
    }
  });

  it("is started for every game, or never again, where the file says so", async () => {
    const every = fakeAgent("nothing", 0, { restart: "every-game" });
    for (let number = 0; number < 3; number++) expect(play([random, every.agent]).failure).toBe(undefined);
    expect(every.pids()).toHaveLength(3);
    every.agent.stop();
    await gone(every.pids());
    const never = fakeAgent("die", 1, { restart: "never" });
    const failures = [1, 2, 3].map(() => play([random, never.agent]).failure?.message);
    expect(failures[0]).toMatch(/out of memory/);
    expect(new Set(failures).size).toBe(1);
    expect(never.pids()).toHaveLength(1);
  });

  it("fails where there is no such program, where it cannot be run, and where it refuses its set-up", () => {
    const start = (command: string[], setUp: string[] = []) => {
      const options = { command, setUp, timeoutMs: 30_000 };
      return play([openSearch("gtp", game, options, agentKinds()), random]).failure?.message;
    };
    expect(start(["no-such-program"])).toMatch(/there is no program "no-such-program" on the PATH/);
    expect(start([folder])).toMatch(/is not an executable file; install it/);
    expect(start(["a\0b"])).toMatch(/there is no program/);
    expect(start(["$LUDOFLOW_NO_SUCH_VARIABLE"])).toMatch(/which is not set/);
    const responds = "read line; printf '?1 no such level\n\n'; read line";
    expect(start(["/bin/sh", "-c", responds], ["level 30"])).toMatch(/refused "level 30": "no such level"$/);
  });

  it("does no harm by failing when it has no move left to make", () => {
    // The seat that moves last loses its opponent, which has made its own last move by then.
    const { agent } = fakeAgent("refuse play", 5);
    expect(play([random, agent], game, "long").failure).toBe(undefined);
  });

  it("is refused for a game that its dialect does not speak of", () => {
    expect(() => openSearch("gtp", openGame("2048"), { command: ["x"] }, agentKinds())).toThrow(
      /the dialect pentobi does not speak of 2048 \(it does of blokus, blokus-duo, tic-tac-toe\)$/,
    );
    expect(() => openSearch("gtp", openGame("go"), { command: ["x"] }, agentKinds())).toThrow(
      /the dialect pentobi does not speak of go .*; write dialect: go$/,
    );
    const small = openGame("blokus", { size: 12, largestPiece: 4 });
    expect(() => openSearch("gtp", small, { command: ["x"] }, agentKinds())).toThrow(
      /Pentobi's dialect has Blokus on 20x20 with all pieces only$/,
    );
  });
});

import { createConnection } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  ACCEPTED,
  cell,
  helloTable,
  newTable,
  readStatus,
  REJECTED,
  tableBytes,
  type UecdaTable,
} from "../../../src/protocols/uecda/table.ts";
import { PASS, playOfText } from "../../../src/games/daihinmin/plays.ts";
import { GAME, PHASE, PLAYING, TO_MOVE } from "../../../src/games/daihinmin/state.ts";
import { CHANCE } from "../../../src/games/game.ts";
import { tableOfPlay } from "../../../src/protocols/uecda/cards.ts";
import { UecdaNonsense } from "../../../src/protocols/uecda/observer.ts";
import { Random } from "../../../src/random.ts";
import { playOnUecdaServer, UecdaServerGone } from "../../../src/protocols/uecda/client.ts";
import { UecdaConnection } from "../../../src/protocols/uecda/connection.ts";
import { openUecdaLobby, type UecdaLobby } from "../../../src/protocols/uecda/lobby.ts";
import { playUecdaMatch, type UecdaResult } from "../../../src/protocols/uecda/match.ts";
import { LocalSeat, MOST_LATE, type UecdaSeat } from "../../../src/protocols/uecda/seat.ts";
import { type Agent, playedInMemory, series, uecdaPlayer } from "../../protocols/uecda/players.ts";
import { chunkingProxy } from "../../protocols/uecda/proxy.ts";

const SEED = 11;
const HOST = "127.0.0.1";
const PATIENCE_MS = 60_000;

/** A server for so many clients; the others are played by the default player. */
async function serve(clients: number, games: number, milliseconds = PATIENCE_MS) {
  const said: string[] = [];
  const lobby = await openUecdaLobby({
    host: HOST,
    port: 0,
    clients,
    milliseconds,
    report: (what) => said.push(what),
  });
  const results: UecdaResult[] = [];
  const played = (async () => {
    const seats: UecdaSeat[] = [...(await lobby.seats)];
    for (let player = clients; player < 5; player++)
      seats.push(new LocalSeat(`local ${player}`, uecdaPlayer({ use: "default" }, SEED, player)));
    const actions = await playUecdaMatch({
      game: series(games),
      seats,
      random: Random.named(SEED, "chance"),
      onGame: (result) => results.push(result),
    });
    lobby.end();
    return actions;
  })();
  return { lobby, played, results, said };
}

/** Waits until the server has said something. */
async function until(said: readonly string[], text: string): Promise<void> {
  while (!said.some((line) => line.includes(text))) await new Promise((resolve) => setTimeout(resolve, 2));
}

function client({ port }: Pick<UecdaLobby, "port">, agent: Agent) {
  return playOnUecdaServer({
    host: HOST,
    port,
    name: agent.use.slice(0, 15),
    milliseconds: 60_000,
    open: (player) => uecdaPlayer(agent, SEED, player),
  });
}

async function connect(port: number, hello: UecdaTable | undefined): Promise<UecdaConnection> {
  const connection = new UecdaConnection(createConnection({ host: HOST, port }));
  onTestFinished(() => connection.destroy());
  if (hello !== undefined) connection.sendTable(hello);
  return connection;
}

/** What a client of the script below has been told. */
interface Told {
  /** Whether it was the turn, or cards were to be returned. */
  readonly requested: UecdaTable;
  /** The number after the response of a turn. */
  readonly verdict: number | undefined;
}

/**
 * A client that follows the protocol and responds by a script: to the `n`-th request by `reply(n, honest)`, where `honest`
 * is the response of the default player. A reply of undefined closes the connection.
 */
async function scripted(
  port: number,
  reply: (n: number, honest: UecdaTable) => UecdaTable | undefined | "silent" | "late",
): Promise<Told[]> {
  const connection = await connect(port, helloTable("scripted"));
  const number = await connection.readNumber();
  const player = uecdaPlayer({ use: "default" }, SEED, number as number);
  const told: Told[] = [];
  let late: UecdaTable | undefined;
  while (player.awaits !== "nothing") {
    if (player.awaits === "number") {
      const verdict = await connection.readNumber();
      if (typeof verdict === "string") return told;
      const request = told.at(-1);
      if (request !== undefined && request.verdict === undefined && verdict >= REJECTED)
        told[told.length - 1] = { ...request, verdict };
      if (late !== undefined) connection.sendTable(late);
      late = undefined;
      player.takeNumber(verdict);
      continue;
    }
    const table = await connection.readTable();
    if (typeof table === "string") return told;
    const honest = player.take(table);
    if (honest === undefined) continue;
    const given = reply(told.length, honest);
    told.push({ requested: table, verdict: undefined });
    if (given === undefined) {
      connection.destroy();
      return told;
    }
    if (given === "late") late = honest;
    else if (given !== "silent") connection.sendTable(given);
  }
  return told;
}

/** The decisions of one player in a series, in order, and whether passing was all it could do in each. */
function decisionsOf(actions: Int32Array, games: number, player: number) {
  const game = series(games);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const decisions: { action: number; legal: number; game: number; playing: boolean }[] = [];
  for (const action of actions) {
    const { words } = state;
    if (words[TO_MOVE] !== CHANCE) expect(legal.subarray(0, game.legal(state, legal))).toContain(action);
    if (words[TO_MOVE] === player)
      decisions.push({
        action,
        legal: game.legal(state, legal),
        game: words[GAME]!,
        playing: words[PHASE] === PLAYING,
      });
    game.play(state, action);
  }
  return decisions;
}

describe("a server and five clients", () => {
  it.each<[string, readonly Agent[], number]>([
    [
      "the default client and random players",
      ["default", "random", "default", "random", "random"].map((use) => ({ use })),
      7,
    ],
    [
      "searches over information sets",
      ["so-ismcts", "mo-ismcts", "default", "flat-monte-carlo", "so-ismcts-pom"].map((use) =>
        use === "default" ? { use } : { use, simulations: 10 },
      ),
      3,
    ],
  ])("play the same series as in memory: %s", async (_, agents, games) => {
    const { lobby, played, results, said } = await serve(5, games);
    const tallies = [];
    for (const [player, agent] of agents.entries()) {
      tallies.push(client(lobby, agent));
      await until(said, `player ${player} `);
    }
    const expected = playedInMemory(agents, games, SEED);
    expect(await played).toEqual(expected.actions);
    expect(results.length).toBe(games);
    for (const [player, tally] of (await Promise.all(tallies)).entries()) {
      expect(tally.games).toBe(games);
      expect(tally.rejected).toBe(0);
      const points = tally.places.reduce((sum, times, place) => sum + (times * (4 - place)) / 4, 0);
      expect(points).toBe(expected.returns[player]);
    }
    expect(said).toEqual(agents.map(({ use }, player) => `player ${player} (${use.slice(0, 15)}) is here`));
  });

  it("do so when tables are cut into pieces and messages joined on the way", async () => {
    const agents = ["default", "random", "default", "random", "default"].map((use) => ({ use }));
    const { lobby, played, said } = await serve(5, 3);
    const proxy = await chunkingProxy(lobby.port, Random.named("proxy"));
    onTestFinished(proxy.close);
    const tallies = [];
    for (const [player, agent] of agents.entries()) {
      tallies.push(client(proxy, agent));
      await until(said, `player ${player} `);
    }
    expect(await played).toEqual(playedInMemory(agents, 3, SEED).actions);
    expect((await Promise.all(tallies)).map(({ games }) => games)).toEqual([3, 3, 3, 3, 3]);
  });
});

describe("a server and one client", () => {
  const garbage: readonly (readonly [string, (honest: UecdaTable) => UecdaTable])[] = [
    ["numbers that no table has", (honest) => honest.map((_, i) => (i * 2_654_435_761) >>> 0)],
    ["two jokers", () => newTable().fill(2, cell(0, 3), cell(0, 5))],
    ["every card at once", () => newTable().fill(1, cell(0, 1), cell(0, 14))],
    ["cards that it may not hold", () => tableOfPlay(playOfText("S3 H3 D3 C3 *X3")!)],
  ];
  it.each(garbage)("rejects and takes for a pass: %s", async (_, reply) => {
    const { lobby, played, results } = await serve(1, 3);
    const told = await scripted(lobby.port, (_n, honest) => reply(honest));
    const decisions = decisionsOf(await played, 3, 0);
    expect(results.length).toBe(3);
    expect(told.length).toBe(decisions.length);
    for (const [i, { action, playing }] of decisions.entries()) {
      expect(action === PASS).toBe(playing);
      expect(told[i]!.verdict).toBe(playing ? REJECTED : undefined);
    }
    expect(results.map(({ places }) => places[0])).toEqual([4, 4, 4]);
  });

  it("responds 9 to what it takes, 8 to a pass on cards, 9 to a pass on none", async () => {
    const { lobby, played } = await serve(1, 2);
    const told = await scripted(lobby.port, (n, honest) => (n % 2 === 0 ? newTable() : honest));
    const decisions = decisionsOf(await played, 2, 0);
    for (const [i, { requested, verdict }] of told.entries()) {
      const { empty, yourTurn } = readStatus(requested);
      if (!yourTurn) continue;
      const passed = decisions[i]!.action === PASS;
      expect(verdict).toBe(passed && !empty ? REJECTED : ACCEPTED);
    }
    expect(told.some(({ requested, verdict }) => readStatus(requested).empty && verdict === ACCEPTED)).toBe(
      true,
    );
    expect(told.some(({ verdict }) => verdict === REJECTED)).toBe(true);
  });

  it("plays on where it dies", async () => {
    const { lobby, played, results, said } = await serve(1, 4);
    const told = await scripted(lobby.port, (n, honest) => (n < 5 ? honest : undefined));
    const decisions = decisionsOf(await played, 4, 0);
    expect(told.length).toBe(6);
    expect(results.length).toBe(4);
    expect(
      decisions
        .slice(5)
        .filter(({ playing }) => playing)
        .every(({ action }) => action === PASS),
    ).toBe(true);
    expect(decisions.length).toBeGreaterThan(20);
    expect(said).toEqual(["player 0 (scripted) is here", "player 0 (scripted) has left"]);
  });

  it("passes for it where it is late, and does not take the late response for a later one", async () => {
    const { lobby, played, said } = await serve(1, 1, 3000);
    const told = await scripted(lobby.port, (n, honest) => (n === 1 ? "late" : honest));
    const decisions = decisionsOf(await played, 1, 0);
    expect(told[1]!.verdict).toBe(REJECTED);
    expect(decisions[1]!.action).toBe(PASS);
    // What it sends from then on belongs to the latest request.
    const { length } = said.filter((line) => line.includes("has sent no response in 3000 ms"));
    expect(length).toBe(1);
    const verdicts = told.slice(2).map(({ verdict }) => verdict);
    expect(verdicts.filter((verdict) => verdict === ACCEPTED).length).toBe(
      decisions.slice(2).filter(({ action }) => action !== PASS).length,
    );
    expect(verdicts).toContain(ACCEPTED);
  });

  it("closes the connection to one that never responds, after some times", async () => {
    const { lobby, played, results, said } = await serve(1, 2, 400);
    const told = await scripted(lobby.port, () => "silent");
    await played;
    expect(results.length).toBe(2);
    expect(told.length).toBe(MOST_LATE);
    expect(said.filter((line) => line.includes("has sent no response")).length).toBe(MOST_LATE);
  });
});

describe("the lobby", () => {
  it("refuses clients that speak another protocol, send nothing, or come too late", async () => {
    const { lobby, played, said } = await serve(1, 1, 1500);
    const old = helloTable("old");
    old[0] = 20060;
    expect(await (await connect(lobby.port, old)).readNumber()).toBe("closed");
    expect(await (await connect(lobby.port, undefined)).readNumber()).toBe("closed");
    const gone = await connect(lobby.port, undefined);
    gone.end();
    await until(said, "it is closed");
    expect(said.toSorted()).toEqual([
      "a client is refused: it is closed",
      "a client is refused: it is late",
      "a client is refused: it speaks protocol 20060, not 20070",
    ]);
    const tally = client(lobby, { use: "default" });
    await played;
    expect((await tally).games).toBe(1);
    await expect(client(lobby, { use: "default" })).rejects.toThrow(/ECONNREFUSED/);
  });

  it("gives the number of one that leaves before the start to another", async () => {
    const { lobby, played, said } = await serve(2, 1);
    const first = await connect(lobby.port, helloTable("first"));
    expect(await first.readNumber()).toBe(0);
    first.destroy();
    await until(said, "player 0 (first) has left");
    const tallies = ["default", "random"].map((use) => client(lobby, { use }));
    await played;
    expect((await Promise.all(tallies)).map(({ games }) => games)).toEqual([1, 1]);
  });
});

describe("a client", () => {
  /** A server that sends some bytes and closes. */
  async function badServer(bytes: Uint8Array): Promise<number> {
    const { createServer } = await import("node:net");
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.end(bytes);
    });
    onTestFinished(() => void server.close());
    return new Promise((resolve) =>
      server.listen(0, HOST, () => resolve((server.address() as { port: number }).port)),
    );
  }

  it("says so where the server leaves before the end", async () => {
    const port = await badServer(Uint8Array.of(0, 0, 0, 0));
    await expect(client({ port }, { use: "random" })).rejects.toThrow(UecdaServerGone);
  });

  it("says so where the server says what cannot be", async () => {
    const port = await badServer(Uint8Array.of(0, 0, 0, 0, ...tableBytes(newTable())));
    await expect(client({ port }, { use: "random" })).rejects.toThrow(UecdaNonsense);
  });
});

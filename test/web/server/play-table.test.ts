import { describe, expect, it } from "vitest";
import { PlayTable, type SeatView } from "../../../src/web/server/play/table.ts";
import { shippedPlayers } from "../../../src/web/server/play/shipped-players.ts";
import { levelsOf, settingsAt } from "../../../src/web/server/play/player.ts";

const random = { use: "random" };

describe("a table of a game on the page", () => {
  it("plays a game that follows from its seed, from any point of it anew", () => {
    const setup = { game: { rules: "2048" }, plugins: [], seed: 5 };
    const [one, other] = [new PlayTable(setup), new PlayTable(setup)];
    let position = one.show([]);
    for (let i = 0; i < 12; i++) position = one.decide(position.actions, random).position;
    expect(other.show(position.actions)).toEqual(position);
    const back = one.show(position.actions.slice(0, position.decisions[3]!.ply));
    expect(back.decisions).toHaveLength(3);
    // The same draws come again after a move was taken back.
    let again = back;
    for (let i = 3; i < 12; i++)
      again = one.move(again.actions, position.actions[position.decisions[i]!.ply]!)!;
    expect(again).toEqual(position);
  });

  it("marks the last move for each seat that knows it, and says why cells are refused", () => {
    for (const rules of ["tic-tac-toe", "connect-four", "othello", "go", "2048", "blokus-duo"]) {
      const table = new PlayTable({ game: { rules }, plugins: [], seed: 4 });
      let position = table.show([]);
      for (let i = 0; i < 30 && position.toMove !== undefined; i++) {
        const before = position;
        position = table.decide(position.actions, random).position;
        const played = before.moves.find(
          (move) => move.action === position.actions[position.decisions.at(-1)!.ply],
        );
        const [{ board }] = position.views as [SeatView];
        if (board?.kind !== "grid") throw new Error("these games have boards of cells");
        const { place } = played!;
        if (place?.cells !== undefined) expect(new Set(board.last)).toEqual(new Set(place.cells));
        expect(board.lastSide).toBe(place?.side);
        const reached = position.moves.flatMap(({ place: at }) => at?.reach ?? at?.cells ?? []);
        for (const cell of Object.values(position.refusals).flat()) expect(reached).not.toContain(cell);
      }
    }
  });

  it.each([
    // A stone of White at c7 is taken from d7.
    ["go", { size: 9 }, [11, 12, 19, 22, 29, 30, 80, 20, 21], 20, /^(?:Ko|Superko): /],
    ["go", { size: 9 }, [40, 1, 42, 9], 0, /^Suicide: /],
    ["othello", {}, [], 0, "A disc there would turn no other disc."],
    ["connect-four", {}, [2, 2, 2, 2, 2, 2], 9, "Column 3 is full."],
  ] as const)("says why %s %o refuses a cell after the moves %o", (rules, options, moves, cell, reason) => {
    const table = new PlayTable({ game: { rules, ...options }, plugins: [], seed: 1 });
    let position = table.show([]);
    for (const action of moves) position = table.move(position.actions, action)!;
    const said = Object.entries(position.refusals).filter(([, cells]) => cells.includes(cell));
    expect(said).toHaveLength(1);
    expect(said[0]![0]).toMatch(reason);
  });

  it("refuses a move that is not legal", () => {
    const table = new PlayTable({ game: { rules: "tic-tac-toe" }, plugins: [], seed: 1 });
    const { actions } = table.move([], 4)!;
    expect(table.move(actions, 4)).toBeUndefined();
    expect(table.move(actions, 9)).toBeUndefined();
  });

  it("shows a seat nothing that it cannot see, and a spectator no hand", () => {
    const table = new PlayTable({ game: { rules: "daihinmin", games: 2 }, plugins: [], seed: 2 });
    let position = table.show([]);
    const hands = (view: (typeof position.views)[number]) =>
      view.board?.kind === "cards" ? view.board.hands.map(({ cards }) => cards !== undefined) : [];
    const hiddenTo = new Set<number>();
    for (let turns = 0; position.toMove !== undefined && turns < 200; turns++) {
      for (const [seat, view] of position.views.entries()) {
        expect(hands(view)).toEqual(hands(view).map((_, i) => i === seat));
        // Cards that are given away in an exchange are known to two players.
        for (const played of view.played)
          if (played.text === undefined) {
            expect(played.seat).not.toBe(seat);
            hiddenTo.add(seat);
          }
      }
      expect(hands(position.spectator)).toEqual([false, false, false, false, false]);
      position = table.decide(position.actions, { use: "default" }).position;
    }
    expect(hiddenTo.size).toBeGreaterThan(1);
  });

  it("gives advice of a player without playing a move", () => {
    const table = new PlayTable({ game: { rules: "connect-four" }, plugins: [], seed: 3 });
    const agent = { use: "uct", simulations: 40 };
    const thought = table.advise([], agent);
    expect(thought.moves[0]!.action).toBe(thought.action);
    expect(thought.moves.reduce((sum, { share }) => sum + share!, 0)).toBeLessThanOrEqual(1.0001);
    expect(thought.simulations).toBeGreaterThanOrEqual(40);
    expect(thought.value).toBeGreaterThan(0);
    expect(table.show([]).decisions).toEqual([]);
    expect(table.advise([], random)).toMatchObject({
      simulations: 0,
      moves: [{ action: expect.any(Number) }],
    });
    expect(table.advise([], random).value).toBeUndefined();
  });
});

describe("players that come with ludoflow", () => {
  it("are there for every game, have keys of their own, and committed nets are among them", () => {
    const players = shippedPlayers();
    const keys = players.map(({ offer }) => offer.key);
    expect(new Set(keys).size).toBe(keys.length);
    for (const rules of [
      "2048",
      "tic-tac-toe",
      "connect-four",
      "othello",
      "blokus",
      "blokus-duo",
      "daihinmin",
      "go",
    ])
      expect(keys).toContain(`search:${rules}:random`);
    expect(keys).toContain("search:daihinmin:default");
    expect(keys.filter((key) => key.startsWith("net:")).toSorted()).toEqual([
      "net:blokus-classical-player#classical",
      "net:blokus-player#zero",
      "net:connect-four-player#zero",
      "net:daihinmin-player#learned",
      "net:duo-classical-player#classical",
      "net:duo-player#zero",
      "net:go9-player#alphago",
      "net:othello-player#zero",
    ]);
    expect(players.find(({ offer }) => offer.key === "net:blokus-player#zero")!.offer).toMatchObject({
      from: "blokus-player, after 3,000 steps",
      simulations: 100,
    });
    const uct = players.find(({ offer }) => offer.key === "search:connect-four:uct")!;
    expect(levelsOf(uct)).toEqual([1, 16, 64, 256, 1024]);
    expect(settingsAt({ ...uct, agent: { ...uct.agent, milliseconds: 50 } }, 16)).toEqual({
      use: "uct",
      simulations: 16,
    });
    expect(uct.agent).not.toHaveProperty("rave");
    const go = players.find(({ offer }) => offer.key === "search:go:uct")!;
    expect(go.agent).toMatchObject({ prior: { of: "heuristic" }, rave: { use: "equivalence" } });
    expect(levelsOf(players.find(({ offer }) => offer.key === "search:go:random")!)).toEqual([]);
  });
});

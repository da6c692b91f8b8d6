import { describe, expect, it } from "vitest";
import { drawBoard } from "../../../src/figures/boards/draw-board.ts";
import type { StoredGame } from "../../../src/formats/game-records.ts";
import { CHANCE, type Game, OVER } from "../../../src/games/game.ts";
import { createGame, openConfiguredGame } from "../../../src/games/registry.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { Random } from "../../../src/random.ts";
import {
  expectationCurves,
  turningPoints,
  type ValuedDecision,
} from "../../../src/web/server/games/expectations.ts";
import { gameSentence } from "../../../src/web/server/games/game-sentence.ts";
import { gameView, valuedDecisions } from "../../../src/web/server/games/game-view.ts";
import { expectsReturns, valueUnit } from "../../../src/web/server/games/value-unit.ts";
import type { ViewedRun } from "../../../src/web/server/games/opened-game.ts";
import { boardAt, positionsOf } from "../../../src/web/server/games/positions.ts";

/** A run of a game, and a random game of it. */
function played(
  rules: string,
  options: object = {},
): { readonly run: ViewedRun; readonly record: StoredGame } {
  const { config, game } = openConfiguredGame(rules, { ...options });
  const random = Random.named(1);
  const state = game.initial();
  const legal = new Int32Array(game.maxLegal);
  const actions: number[] = [];
  for (let mover = game.toMove(state); mover !== OVER; mover = game.toMove(state)) {
    const count = game.legal(state, legal);
    const action = mover === CHANCE ? game.chance!.sample(state, random) : legal[random.below(count)]!;
    actions.push(action);
    game.play(state, action);
  }
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  const experiment = { name: "x", agents: {}, nets: {}, graph: {}, game: config } as unknown as Experiment;
  const seats = Array.from({ length: game.players }, (_, seat) => `agent-${seat}`);
  return {
    run: { folder: "", experiment, config, game },
    record: {
      game: 0,
      generation: 0,
      seats,
      actions: Int32Array.from(actions),
      values: new Float64Array(),
      returns: [...returns],
      facts: {},
    },
  };
}

describe("a stored game for its page", () => {
  it("gives the values of the decisions after an opening, which is given to the players", () => {
    const { record, run } = played("connect-four");
    const given = record.actions.length - 3;
    const values = Float64Array.of(0.1, 0.9, 0.2, 0.8, 0.3, 0.7);
    const valuesOf = (each: Float64Array) =>
      valuedDecisions(run, { ...record, values: each }, undefined).map((decision) =>
        Array.from(decision.values ?? []),
      );
    const none = Array.from({ length: given }, () => []);
    expect(valuesOf(values)).toEqual([...none, [0.1, 0.9], [0.2, 0.8], [0.3, 0.7]]);
    // Values of parts of a decision, or of more decisions than there are: their decisions are not known.
    for (const other of [new Float64Array(3).fill(0.5), new Float64Array(2 * given + 8).fill(0.5)])
      expect(valuesOf(other).every((each) => each.length === 0)).toBe(true);
  });

  it("shows a seat no card and no thought that it has not seen", () => {
    // The second deal begins with an exchange, of which a seat that takes no part sees no card.
    const { record, run } = played("daihinmin", { games: 2 });
    const range = { from: 0, to: record.actions.length };
    const decisions = gameView(run, "s", record, undefined, undefined).steps.map(([ply, seat]) => ({
      ply,
      seat,
      action: record.actions[ply]!,
      legal: 2,
      visits: 3,
      values: [1, 0, 0, 0, 0],
      moves: [{ action: record.actions[ply]!, visits: 3, prior: NaN, value: 1 }],
    }));
    const open = positionsOf(run, record, { ...range, seen: undefined }, decisions);
    expect(open).toHaveLength(record.actions.length + 1);
    const hidden = new Set<number>();
    for (let seen = 0; seen < 5; seen++) {
      for (const { board, mover, thought } of positionsOf(run, record, { ...range, seen }, decisions)) {
        if (board.kind !== "cards") throw new Error("the game has another board");
        for (const [seat, { cards }] of board.hands.entries())
          expect(cards !== undefined).toBe(seat === seen);
        expect(thought !== undefined && mover !== seen).toBe(false);
      }
      const { steps } = gameView(run, "s", record, undefined, seen);
      for (const [ply, seat, move] of steps)
        if (move === "hidden") {
          expect(seat).not.toBe(seen);
          hidden.add(ply);
        }
    }
    const { notation } = run.game;
    const all = gameView(run, "s", record, undefined, undefined).steps;
    const returned = all.filter(([, , move]) => move.startsWith("return"));
    expect([...hidden].toSorted((a, b) => a - b)).toEqual(returned.map(([ply]) => ply));
    expect(notation).toBeDefined();
  });

  it("gives boards and places of moves, and the last move also if the position does not hold it", () => {
    const { record, run } = played("tic-tac-toe");
    const shown = positionsOf(run, record, { from: 0, to: 100, seen: undefined }, []);
    for (const [ply, { board, next }] of shown.entries()) {
      expect(next?.cells).toEqual(ply < record.actions.length ? [record.actions[ply]] : undefined);
      if (ply > 0) expect(board).toMatchObject({ last: [record.actions[ply - 1]] });
    }
  });

  it("marks the discs of Othello that a move has turned, and the row that has won, as files and tables do", () => {
    const { record, run } = played("othello");
    const shown = positionsOf(run, record, { from: 0, to: 100, seen: undefined }, []);
    const seatsOn = ({ board }: (typeof shown)[number]) =>
      new Map(board.kind === "grid" ? board.pieces.map(({ cells, seat }) => [cells[0]!, seat]) : []);
    for (const [ply, position] of shown.entries()) {
      const before = ply === 0 ? new Map<number, number>() : seatsOn(shown[ply - 1]!);
      const turned = [...seatsOn(position)].filter(([cell, seat]) => (before.get(cell) ?? seat) !== seat);
      const cells = turned.map(([cell]) => cell);
      expect(position.board).toMatchObject(cells.length === 0 ? {} : { turned: cells });
      // A move that is no pass turns discs.
      expect(cells.length > 0).toBe(ply > 0 && record.actions[ply - 1]! < 64);
      expect(boardAt(run.game, record, ply)).toEqual(position.board);
    }
    const game = createGame("connect-four", {}) as Game<unknown>;
    const actions = Int32Array.from([0, 1, 0, 1, 0, 1, 0]);
    const row = { ...record, actions };
    expect(boardAt(game, row, 6)).not.toHaveProperty("won");
    expect(boardAt(game, row, 7)).toMatchObject({ last: [14], won: [[14, 21, 28, 35]] });
    const diagonal = createGame("tic-tac-toe", {}) as Game<unknown>;
    const won = boardAt(diagonal, { ...record, actions: Int32Array.from([2, 0, 4, 1, 6]) }, 5);
    expect(won).toMatchObject({ last: [6], won: [[6, 4, 2]] });
    expect(drawBoard(won, 300).text).toContain('class="won"');
  });

  it("names the winner, and the margin if games have scores", () => {
    const { record, run } = played("tic-tac-toe");
    const sentence = (returns: readonly number[], rules = run) =>
      gameSentence(rules.game, { ...record, returns }).text;
    expect(sentence([1, 0])).toBe("<b>agent-0</b> won against <b>agent-1</b>");
    expect(sentence([0.5, 0.5])).toBe("<b>agent-0 and agent-1</b> drew");
    const duo = played("blokus-duo");
    expect(sentence([-18, -23], duo.run)).toBe("<b>agent-0</b> won by 5 against <b>agent-1</b>, −18 to −23");
    const hostile = gameSentence(run.game, { ...record, seats: ["<img>", "b"], returns: [1, 0] });
    expect(hostile.text).toContain("&lt;img&gt;");
  });
});

it("names the unit of values: shares of won games are no points, and add to none", () => {
  const { run } = played("blokus-duo");
  const agents = {
    searcher: { use: "mcts-max-n" },
    points: { use: "mcts-max-n", payoff: "score" },
    greedy: { use: "greedy", net: "value" },
  };
  const experiment = { ...run.experiment, agents, nets: { value: { use: "mlp" } } } as unknown as Experiment;
  const units = Object.keys(agents).map((agent) => [
    valueUnit(experiment, run.game, agent),
    expectsReturns(experiment, agent),
  ]);
  expect(units).toEqual([
    ["1 is a win, 0 a loss", false],
    ["its score at the end", true],
    ["its score at the end", true],
  ]);
});

describe("what players expected", () => {
  const decision = (step: number, seat: number, value: number, more: Partial<ValuedDecision> = {}) => ({
    step,
    seat,
    earned: 0,
    values: [value, -value],
    ...more,
  });

  it("is a curve for each player, of its own seat at its own decisions", () => {
    const curves = expectationCurves(
      [decision(0, 0, 0.5), decision(1, 1, 0.3), decision(2, 0, 0.2)],
      () => "u",
    );
    expect(curves).toEqual([
      {
        seat: 0,
        unit: "u",
        points: [
          [0, 0.5],
          [2, 0.2],
        ],
      },
    ]);
  });

  it("turns when it falls, in part by the choice and in part by the rest", () => {
    const thought = (played: number, best: number, visits = 50) => ({
      action: 1,
      visits: 100,
      moves: [
        { action: 0, visits, prior: NaN, value: best },
        { action: 1, visits: 50, prior: NaN, value: played },
      ],
    });
    const points = turningPoints([
      decision(0, 0, 0.5, { thought: thought(0.4, 0.6) }),
      decision(2, 0, 0.1, { thought: thought(0.1, 0.9, 2) }),
      decision(4, 0, 0, { thought: thought(0.1, 0.9) }),
      decision(6, 0, 1),
      decision(8, 0, 0.95),
    ]);
    expect(points.map(({ step }) => step)).toEqual([0, 2, 6]);
    expect(points[0]!.drop).toBeCloseTo(0.4);
    expect(points[0]!.choice).toBeCloseTo(0.2);
    // Two visits of a hundred say nothing of a move.
    expect(points[1]!.choice).toBe(0);
    expect(points[2]).not.toHaveProperty("choice");
  });
});

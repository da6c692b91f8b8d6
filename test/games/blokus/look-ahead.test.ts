import { describe, expect, it } from "vitest";
import { pieceOfAction } from "../../../src/games/blokus/board.ts";
import { type BlokusState, classicBoard, duoBoard, GameBlokus } from "../../../src/games/blokus/blokus.ts";
import { OVER } from "../../../src/games/game.ts";
import { Random } from "../../../src/random.ts";
import { casesOf } from "../../number-of-cases.ts";

const classic = new GameBlokus("blokus", classicBoard(), { scoring: "advanced" });
const duo = new GameBlokus("blokus-duo", duoBoard(), { scoring: "advanced" });
const basic = new GameBlokus("blokus-duo", duoBoard(), { scoring: "basic" });

/** Every position of a random game of which `also` of each 10 moves are of the largest pieces. */
function randomGame(game: GameBlokus, name: string, also = 10): BlokusState[] {
  const random = Random.named("blokus look-ahead", name);
  const state = game.initial();
  const states = [copied(game, state)];
  while (game.toMove(state) !== OVER) {
    const large = random.below(10) < also;
    game.play(state, large ? game.playouts.preferred(state, random) : game.playouts.uniform(state, random));
    states.push(copied(game, state));
  }
  return states;
}

function copied(game: GameBlokus, state: BlokusState): BlokusState {
  const copy = game.initial();
  game.copy(state, copy);
  return copy;
}

function legal(game: GameBlokus, state: BlokusState): number[] {
  const actions = new Int32Array(game.maxLegal);
  return [...actions.subarray(0, game.legal(state, actions))];
}

function standing(game: GameBlokus, state: BlokusState, name: "placed" | "score"): Float64Array {
  const values = new Float64Array(game.players);
  game.depthFirst.staticEvaluations[name]!(state, values);
  return values;
}

function valueOf(game: GameBlokus, state: BlokusState, name: string): Float64Array {
  const values = new Float64Array(game.players);
  if (name === "returns") game.returns(state, values);
  else game.depthFirst.staticEvaluations[name]!(state, values);
  return values;
}

/** One action of each piece: what a move adds follows from its piece alone. */
function oneOfEach(game: GameBlokus, actions: readonly number[]): number[] {
  return [...new Map(actions.map((action) => [pieceOfAction(game.board, action), action])).values()];
}

function hash(game: GameBlokus, state: BlokusState): string {
  const words = new Int32Array(2);
  game.depthFirst.hash(state, words);
  return words.join(" ");
}

describe("passing the turn", () => {
  it("gives it to the seats that have a move, and leaves the rest as it is", () => {
    let refused = 0;
    for (const game of [classic, duo])
      for (const state of randomGame(game, game.name).filter((_, ply) => ply % 4 === 3 || ply > 40)) {
        const counts = new Int32Array(game.players);
        game.figures.legalCounts(state, counts);
        for (let seat = 0; seat < game.players; seat++) {
          const passed = copied(game, state);
          expect(game.search.passTo(passed, seat)).toBe(counts[seat]! > 0);
          if (counts[seat] === 0) refused++;
          else expect(legal(game, passed)).toHaveLength(counts[seat]!);
          expect(passed).toEqual({ ...state, toMove: counts[seat] === 0 ? state.toMove : seat });
        }
      }
    expect(refused).toBeGreaterThan(5);
  });

  it("lets play continue with the next seat in turn", () => {
    const state = classic.initial();
    expect(classic.search.passTo(state, 2)).toBe(true);
    classic.play(state, legal(classic, state)[0]!);
    expect(classic.toMove(state)).toBe(3);
    expect([...state.placed]).toEqual([0, 0, 5, 0]);
  });
});

describe("growth", () => {
  it("bounds what comes in every game, and is reached by a seat that lays its largest pieces", () => {
    let reached = 0;
    const wrong: unknown[] = [];
    for (const game of [classic, duo, basic])
      for (let i = 0; i < 2; i++) {
        const states = randomGame(game, `${game.scoring} ${i}`, i === 0 ? 10 : 5);
        for (const name of ["placed", "score"] as const)
          for (let from = 0; from < states.length; from += 7)
            for (let seat = 0; seat < game.players; seat++) {
              const now = standing(game, states[from]!, name)[seat]!;
              let moves = 0;
              for (let to = from; to < states.length; to++) {
                if (to > from && states[to]!.left[seat] !== states[to - 1]!.left[seat]) moves++;
                const grown = standing(game, states[to]!, name)[seat]! - now;
                const most = game.depthFirst.growth[name]!(states[from]!, seat, moves);
                if (grown > most || grown < 0) wrong.push([game.name, name, from, to, seat, grown, most]);
                if (moves > 2 && grown === most) reached++;
              }
            }
      }
    expect(wrong).toEqual([]);
    expect(reached).toBeGreaterThan(20);
  });

  it("knows the bonus of the last piece, and of the single square as the last", () => {
    const state = duo.initial();
    expect(duo.depthFirst.growth["score"]!(state, 0, 20)).toBe(88);
    expect(duo.depthFirst.growth["score"]!(state, 0, 21)).toBe(89 + 20);
    state.left[0] = 1 << 20;
    state.placed[0] = 88;
    expect(duo.depthFirst.growth["score"]!(state, 0, 1)).toBe(21);
    expect(duo.depthFirst.growth["score"]!(state, 0, 0)).toBe(0);
    expect(basic.depthFirst.growth["score"]!(state, 0, 1)).toBe(1);
    state.left[0] = 1 << 19;
    state.placed[0] = 87;
    expect(duo.depthFirst.growth["score"]!(state, 0, 5)).toBe(17);
  });
});

describe("gains", () => {
  it("are what the best of all moves adds, for every seat in every position", () => {
    const seen = new Set<number>();
    const wrong: unknown[] = [];
    const names = ["placed", "score", "returns"];
    for (const game of [classic, duo, basic]) {
      const after = game.initial();
      const states = randomGame(game, `gains ${game.scoring}`, 5);
      for (const [ply, state] of states.entries()) {
        if (ply % 3 !== 0 && ply < 40) continue;
        for (let seat = 0; seat < game.players; seat++) {
          const best = [-1, -1, -1];
          game.copy(state, after);
          const actions = game.search.passTo(after, seat) ? legal(game, after) : [];
          const before = names.map((name) => valueOf(game, state, name)[seat]!);
          for (const action of oneOfEach(game, actions)) {
            game.copy(state, after);
            game.search.passTo(after, seat);
            game.play(after, action);
            for (const [i, name] of names.entries())
              best[i] = Math.max(best[i]!, valueOf(game, after, name)[seat]! - before[i]!);
          }
          const gains = names.map((name) => game.depthFirst.gains[name]!(state, seat));
          if (gains.join() !== best.join()) wrong.push([game.name, ply, seat, gains, best]);
          for (const gain of gains) seen.add(gain);
        }
      }
    }
    expect(wrong).toEqual([]);
    for (const gain of [-1, 2, 3, 4, 5]) expect(seen).toContain(gain);
  });

  it("hold the bonus of the last piece", () => {
    const state = duo.initial();
    const gain = (name: string) => duo.depthFirst.gains[name]!(state, 0);
    expect([gain("placed"), gain("score")]).toEqual([5, 5]);
    state.left[0] = 1 << 20;
    expect([gain("placed"), gain("score"), gain("returns")]).toEqual([1, 21, 21]);
    state.left[0] = 1 << 0;
    expect([gain("placed"), gain("score")]).toEqual([5, 20]);
    state.left[0] = 0;
    expect([gain("placed"), gain("score")]).toEqual([-1, -1]);
  });
});

describe("turns", () => {
  it("bound the moves that seats come to make, and show that nobody moves twice in the middle of a game", () => {
    const wrong: unknown[] = [];
    let once = 0;
    let twice = 0;
    for (const game of [classic, duo])
      for (let i = 0; i < casesOf(4, 2); i++) {
        const states = randomGame(game, `turns ${i}`, i % 2 === 0 ? 10 : 3);
        const most = new Int32Array(game.players);
        for (const [from, state] of states.entries()) {
          if (game.toMove(state) === OVER) break;
          for (let plies = 1; plies <= 6; plies++) {
            game.depthFirst.moveBounds(state, plies, most);
            const made = new Int32Array(game.players);
            for (const before of states.slice(from, from + plies))
              if (before.toMove >= 0) made[before.toMove]!++;
            for (let seat = 0; seat < game.players; seat++)
              if (made[seat]! > most[seat]! || most[seat]! > plies)
                wrong.push([game.name, i, from, plies, seat]);
            if (plies === game.players && most.every((moves) => moves === 1)) once++;
            if (plies === game.players && most.some((moves) => moves > 1)) twice++;
            if (plies === 1)
              expect([...most]).toEqual([...most.keys()].map((s) => Number(s === state.toMove)));
          }
        }
      }
    expect(wrong).toEqual([]);
    expect(once).toBeGreaterThan(casesOf(50));
    expect(twice).toBeGreaterThan(casesOf(50));
  });

  it("count on no seat that others could shut off", () => {
    const most = new Int32Array(4);
    const state = classic.initial();
    // Each has a single cell to begin on.
    classic.depthFirst.moveBounds(state, 3, most);
    expect([...most]).toEqual([3, 2, 2, 2]);
    state.left[1] = 0;
    classic.depthFirst.moveBounds(state, 3, most);
    expect([...most]).toEqual([3, 0, 2, 2]);
  });

  it("go the other way round in a mirror image", () => {
    const states = randomGame(classic, "mirror");
    const image = classic.initial();
    const most = new Int32Array(4);
    const imaged = new Int32Array(4);
    for (let symmetry = 0; symmetry < classic.symmetry.count; symmetry++)
      for (const state of states.slice(6, 60).filter((each) => each.toMove >= 0)) {
        classic.symmetry.transform(state, symmetry, image);
        classic.depthFirst.moveBounds(state, 5, most);
        classic.depthFirst.moveBounds(image, 5, imaged);
        for (let seat = 0; seat < 4; seat++)
          expect(imaged[classic.symmetry.seat(seat, symmetry)]).toBe(most[seat]);
      }
  });
});

describe("legality", () => {
  it("is that of the list", () => {
    for (const game of [classic, duo])
      for (const state of randomGame(game, "legality", 5).filter((_, ply) => ply % 10 === 4)) {
        const all = Array.from({ length: game.actions }, (_, action) => action);
        if (game.toMove(state) >= 0)
          expect(all.filter((action) => game.depthFirst.isLegal(state, action))).toEqual(legal(game, state));
      }
  });
});

describe("the hash", () => {
  it("is the same whatever the order of the placements, and differs between positions", () => {
    for (const game of [classic, duo]) {
      const { players } = game;
      const seen = new Map<string, string>();
      const wrong: unknown[] = [];
      for (let i = 0; i < casesOf(6, 2); i++)
        for (const state of randomGame(game, `hash ${i}`)) {
          const position = `${state.toMove}: ${state.moves.subarray(0, state.plies).toSorted().join(" ")}`;
          const known = seen.get(hash(game, state));
          if (known !== undefined && known !== position) wrong.push([known, position]);
          seen.set(hash(game, state), position);
        }
      expect(wrong).toEqual([]);
      const state = game.initial();
      const first = legal(game, state)[0]!;
      const other = game.initial();
      game.search.passTo(other, 1);
      const second = legal(game, other)[3]!;
      game.play(other, second);
      game.search.passTo(other, 0);
      game.play(other, first);
      game.play(state, first);
      game.play(state, second);
      game.search.passTo(other, game.toMove(state));
      expect(other.moves).not.toEqual(state.moves);
      expect(hash(game, other)).toBe(hash(game, state));
      expect(seen.size).toBeGreaterThan(casesOf(6, 2) * players * 7.5);
    }
  });

  it("knows which seat had the single square last", () => {
    const hashes = [0, 1].map((last) => {
      const state = duo.initial();
      // Seat 0 has laid everything; the single square came last or before.
      state.moves[0] = duo.board.first[0]! << 2;
      state.moves[1] = (duo.actions - 1) << 2;
      if (last === 0) state.moves.subarray(0, 2).reverse();
      state.plies = 2;
      state.left[0] = 0;
      return [hash(duo, state), standing(duo, state, "score")[0]];
    });
    expect(hashes.map(([, score]) => score)).toEqual([15, 20]);
    expect(hashes[0]![0]).not.toBe(hashes[1]![0]);
  });
});

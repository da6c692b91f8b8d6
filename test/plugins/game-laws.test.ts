import { join } from "node:path";
import { expect, it } from "vitest";
import type { GridBoard } from "../../src/figures/boards/board.ts";
import { delegate } from "../../src/games/delegate.ts";
import { type Game, OVER } from "../../src/games/game.ts";
import { plainPacking } from "../../src/games/plain-packing.ts";
import { stateText } from "../../src/games/plain-state.ts";
import { openGame } from "../../src/games/registry.ts";
import { brokenLaws, type LawsTried } from "../../src/plugins/game-laws.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";
import type { Random } from "../../src/random.ts";

loadPlugin(join(import.meta.dirname, "../../examples/own-game/hex.ts"));

interface Hex {
  board: Int8Array;
  toMove: number;
  winner: number;
}
type Rules = Game<Hex>;
type Part<K extends keyof Rules> = Partial<NonNullable<Rules[K]>>;
type Chance = NonNullable<Game<unknown>["chance"]>;

const hex = openGame("hex", { size: 3 }) as Rules;
const small = openGame("2048", { rows: 2, columns: 2 }) as Game<unknown>;
const packing = plainPacking(hex.initial())!;
const board = {
  shape: [3, 3, 1] as const,
  write: (state: Hex, out: Float32Array, offset: number) => out.set(state.board, offset),
};
const grid = (state: Hex): GridBoard => ({
  kind: "grid",
  columns: 3,
  rows: 3,
  ground: "cells",
  pieces: [...state.board].flatMap((stone, cell) =>
    stone === 0 ? [] : [{ seat: stone - 1, shape: "stone" as const, cells: [cell] }],
  ),
  seats: [{}, {}],
});
/** A text of one's own: of derived ones the laws try only kinds and lengths. */
const position = ({ board: stones, toMove, winner }: Hex) => stateText({ board: stones, toMove, winner });

// Games with other parts. The symmetry of Hex has laws of its own, which other faults break too: it is left out.
const { symmetry: turn, ...plain } = hex;
const rules = (change: Partial<Rules>) => ({ ...plain, ...change }) as Rules as Game<unknown>;
const notation = (change: Part<"notation">) => rules({ notation: { ...hex.notation, ...change } });
const drawing = (change: Part<"drawing">) => rules({ drawing: { ...hex.drawing, board: grid, ...change } });
const drawn = (change: object) => drawing({ board: (state) => ({ ...grid(state), ...change }) });
const nets = (change: Part<"nets">) => rules({ nets: { planes: { board }, ...change } });
const planes = (change: Partial<NonNullable<Rules["nets"]>["planes"][string]>) =>
  nets({ planes: { board: { ...board, ...change } } });
const places = (index: (action: number) => number, offBoard = 0) =>
  nets({ actionPlanes: { planes: 1, offBoard, index } });
const symmetry = (change: Part<"symmetry">) => rules({ symmetry: { ...turn!, ...change } });
const chance = (change: Partial<Chance>) => ({ ...delegate(small), chance: { ...small.chance!, ...change } });

const readOr = (text: string, otherwise: () => ReturnType<Rules["notation"]["parsePosition"]>) => {
  const reading = hex.notation.parsePosition(text);
  return "error" in reading ? otherwise() : reading;
};
const legal = new Int32Array(small.maxLegal);
const outcomes: Chance["outcomes"] = (state, actions, probabilities) => {
  const count = small.chance!.outcomes(state, actions, probabilities);
  probabilities[0]! /= 2;
  return count;
};
let calls = 0;

const sound: readonly Game<unknown>[] = [
  rules(hex),
  drawing({}),
  nets({}),
  planes({ encoding: [{ as: "bytes", channels: 1 }] }),
  places((action) => action),
  rules({ ...hex, nets: { planes: { line: { ...board, shape: [1, 9, 1] } }, packing } }),
  symmetry({}),
  chance({}),
];

/** Games with one planted fault each, by the report of it. In the report * stands for any text, ? for one character. */
const faults: Readonly<Record<string, Game<unknown>>> = {
  "copy shares `board` with the original: copy its contents": rules({
    copy: (from, into) => void Object.assign(into, from),
  }),
  "a copy into a new state is another position: *": rules({
    copy: (from, into) => (hex.copy(from, into), void (into.winner = -1)),
  }),
  "legal gave 8 before 7; actions come in increasing order, each once": rules({
    legal: (state, out) => out.subarray(0, hex.legal(state, out)).reverse().length,
  }),
  "legal gave 9 actions, and maxLegal is 5": rules({ maxLegal: 5 }),
  "legal gave the action *; actions are numbers from 0 to 6*": rules({ actions: 7 }),
  "legal gave 1 actions when the game was over; it gives 0 then": rules({
    legal: (state, out) => (state.toMove === OVER ? 1 : hex.legal(state, out)),
  }),
  "toMove gave 2; it is a seat*": rules({ toMove: (state) => (state.toMove === OVER ? OVER : 2) }),
  "toMove gave CHANCE, and chance is missing*": rules({ toMove: () => -1 }),
  "returns wrote no number for seat 1": rules({ returns: (state, out) => void (out[0] = state.winner) }),
  "seat 0 has the return 2 at the end; returnBounds are 0 and 1": rules({
    returns: (state, out) => (hex.returns(state, out), void (out[0]! *= 2)),
  }),
  "*two copies of one state play on to different positions*": rules({
    play: (state, action) => hex.play(state, calls++ % 5 === 4 ? state.board.indexOf(0) : action),
  }),
  "none of 10 random games ended within 100 plies": rules({
    play: (state) => void (state.toMove = 1 - state.toMove),
  }),
  "it threw RangeError: no room (*game-laws.test.ts*:*)": rules({
    play() {
      throw new RangeError("no room");
    },
  }),

  'notation.parse reads "x"*': notation({ format: () => "x" }),
  'notation.parse reads "* " as *; notation.format writes no legal action so: it is undefined': notation({
    parse: (state, text) => hex.notation.parse(state, text.trim()),
  }),
  'notation.parse reads "??" as *; notation.format writes no legal action so: it is undefined': notation({
    parse: (state, text) => hex.notation.parse({ ...state, board: new Int8Array(9) }, text),
  }),
  "notation.parsePosition reads a text of notation.position as another position*": notation({
    parsePosition: () => ({ state: hex.initial() }),
  }),
  'of the text "*" notation.parsePosition gives the code ERR_X; codes are ERR_SYNTAX, *': notation({
    position,
    parsePosition: (text) => readOr(text, () => ({ error: { code: "ERR_X" as "ERR_SYNTAX", message: "x" } })),
  }),
  'of the text "*" notation.parsePosition gives an error without a message*': notation({
    position,
    parsePosition: (text) => readOr(text, () => ({ error: { code: "ERR_SYNTAX", message: "" } })),
  }),
  'of the text "*" notation.parsePosition threw SyntaxError*': notation({
    position: (state) => JSON.stringify({ ...state, board: [...state.board] }),
    parsePosition: (text) => ({ state: JSON.parse(text) as Hex }),
  }),
  'of the text "*" notation.parsePosition makes a position in which no action is legal and the game is not over':
    notation({
      position,
      parsePosition: (text) =>
        readOr(text, () => ({ state: { board: new Int8Array(9).fill(1), toMove: 0, winner: -1 } })),
    }),
  "*a position that was written and read plays on to another position: its text leaves*": rules({
    initial: () => ({ ...hex.initial(), plies: 0 }) as Hex,
    copy: (from, into) => void Object.assign(into, { ...from, board: from.board.slice() }),
    play(state, action) {
      hex.play(state, action);
      if (++(state as Hex & { plies: number }).plies === 6) state.toMove = OVER;
    },
    notation: {
      ...hex.notation,
      position,
      parsePosition(text) {
        const reading = hex.notation.parsePosition(text);
        return "error" in reading ? reading : { state: { ...reading.state, plies: 0 } as Hex };
      },
    },
  }),

  "drawing.text shows the same in all positions": drawing({ text: () => "hex" }),
  "drawing.svg gives no SVG file*": drawing({ svg: () => "<p>" }),
  "drawing.seats has 1 names; the game has 2 seats": drawing({ seats: ["Black"] }),
  "drawing.board has notes for 1 seats; the game has 2": drawn({ seats: [{}] }),
  "drawing.board is not plain*": drawn({ seats: [{ note: undefined }, {}] }),
  'drawing.pieceShapes has no shape of the piece "X"*': drawn({ seats: [{ left: ["X"] }, {}] }),
  "drawing.place gives the cell 9 for the action 8; the board has 9 cells": drawing({
    place: (_, action) => ({ cells: [action + 1] }),
  }),
  "drawing.board for seat 0 shows what is hidden from this seat": rules({
    drawing: { ...hex.drawing, board: grid },
    information: {
      determinize: (state: Hex, _seat: number, _random: Random, into: Hex) => (
        hex.copy(state, into),
        void into.board.reverse()
      ),
    },
  }),

  'planes "board" leave element 8 of [3, 3, 1] without a number: every element is written': planes({
    write: (_, out, at) => void out.fill(0, at, at + 8),
  }),
  "nets.planes have boards of 3x3 and 1x9 cells*": nets({
    planes: { board, line: { ...board, shape: [1, 9, 1] } },
  }),
  'planes "board" shows the same in all positions': planes({
    write: (_, out, at) => void out.fill(1, at, at + 9),
  }),
  'the encoding of planes "board" describes 2 of 1 channels': planes({
    encoding: [{ as: "bits", channels: 2 }],
  }),
  'planes "board": channel 0 is encoded as bits, and one of its numbers is 2': planes({
    encoding: [{ as: "bits", channels: 1 }],
  }),
  'planes "board": channel 0 is encoded as uniform, and one of its numbers is ?': planes({
    encoding: [{ as: "uniform", channels: 1 }],
  }),
  "nets.actionPlanes.index gives the actions 0 and 1 one place": places(() => 0),
  "nets.actionPlanes.index gives 9 for the action 8; with 1 planes*": places((action) => action + 1),
  "nets.actionPlanes has 1 places off the board, and 0 actions there": places((action) => action, 1),
  "nets.ownership leaves a cell without a number": nets({ ownership: (_, out) => void (out[0] = 1) }),
  "nets.ownership gives a cell to seat 2": nets({ ownership: (state, out) => out.set(state.board) }),
  "nets.packing.pack writes outside its 25 bytes*": nets({
    packing: { ...packing, pack: (state, out, offset) => packing.pack(state, out, offset - 1) },
  }),
  'planes "board" of a state that was packed and unpacked are others: nets.packing holds*': nets({
    packing: {
      ...packing,
      unpack: (from, at, into) => (packing.unpack(from, at, into), void into.board.reverse()),
    },
  }),
  "nets.packing packs a state that it has unpacked into other bytes": nets({
    packing: {
      ...packing,
      unpack: (from, at, into) => (packing.unpack(from, at, into), void (into.winner = 7)),
    },
  }),

  "symmetry 1 does not commute with moves*": symmetry({
    transform: (from, _, into) => hex.copy(from, into),
    action: (action, n) => (n === 0 ? action : 8 - action),
    seat: (seat) => seat,
  }),
  "symmetry 0 is not the identity: it changes actions or seats*": symmetry({
    action: (action) => 8 - action,
  }),
  "symmetry 0 does not commute with moves*": symmetry({
    count: 1,
    transform: (state, _, into) => turn!.transform(state, 1, into),
  }),
  "symmetry 1 is undone by 0 symmetries*": symmetry({ action: (action, n) => (n === 0 ? action : 0) }),
  "symmetry 1 transforms a state in place otherwise than into another*": symmetry({
    transform({ board: stones, ...rest }, n, into) {
      Object.assign(into, rest);
      for (let cell = 0; cell < 9; cell++) into.board[cell] = stones[n === 0 ? cell : 8 - cell]!;
    },
  }),
  "another seat is to move in the image under symmetry 1*": symmetry({
    seat: (seat, n) => (n === 0 ? seat : 1 - seat),
  }),
  "nets.ownership counts other cells in the image under*": rules({
    nets: {
      planes: { board },
      ownership: (state, out) => void out.fill(-1).fill(state.board[0]! - 1, 0, 1),
    },
    symmetry: turn!,
  }),

  "chance.sample does not draw outcomes as often as chance.outcomes says: of 4000 draws * were 0 (probability 0.225)*":
    chance({ sample: (state, random) => legal[random.below(small.legal(state, legal))]! }),
  "chance.sample drew 99, which is not an outcome here": chance({ sample: () => 99 }),
  "the probabilities of chance.outcomes sum to 0.*, not to 1": chance({ outcomes }),
  "chance.outcomes lists other outcomes than legal": chance({
    outcomes: (...given) => outcomes(...given) - 1,
  }),
};

const reportOf = (game: Game<unknown>, tried: LawsTried = {}) =>
  brokenLaws(game, { games: 10, plies: 100, ...tried })
    .map(({ what }) => what)
    .join("\n");

it.each(Object.entries(faults))("reports: %s", (report, game) => {
  const literal = report.replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  expect(reportOf(game)).toMatch(new RegExp(`^${literal.replaceAll("*", "[^]*").replaceAll("?", "[^]")}$`));
});

it("reports nothing of games without a fault", () => {
  expect(sound.map((game) => reportOf(game))).toEqual(sound.map(() => ""));
});

it("compares all parts of states if asked to", () => {
  const written = new Set<string>();
  const remembers = rules({
    initial: () => ({ ...hex.initial(), looked: 0 }) as Hex,
    legal(state, out) {
      (state as Hex & { looked: number }).looked++;
      return hex.legal(state, out);
    },
    notation: {
      ...hex.notation,
      position(state) {
        const text = position(state);
        written.add(text);
        return text;
      },
      parsePosition: (text) =>
        written.has(text)
          ? hex.notation.parsePosition(text)
          : { error: { code: "ERR_SYNTAX", message: "unknown" } },
    },
  });
  expect(reportOf(remembers)).toBe("");
  expect(reportOf(remembers, { exact: true })).toMatch(/: `looked` differs$/);
});

it("is the same for the same random numbers, and names the moves before", () => {
  const wrong = { ...hex, maxLegal: 8 };
  expect(brokenLaws(wrong)).toEqual(brokenLaws(wrong));
  const { after } = brokenLaws({ ...hex, returnBounds: [0, 0.5] }, { games: 1 })[0]!;
  expect(after.length).toBeGreaterThan(4);
  expect(after[0]).toMatch(/^[a-c][1-3]$/);
});

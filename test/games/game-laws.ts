import { describe, expect, it } from "vitest";
import { CHANCE, OVER } from "../../src/games/game.ts";
import type {
  ActionPlanes,
  Game,
  NetAbilities,
  Ownership,
  Packing,
  Planes,
  Symmetry,
} from "../../src/games/game.ts";
import { type PackedRows, PlanePacker } from "../../src/games/packed-planes.ts";
import { perft } from "../../src/games/perft.ts";
import { Random } from "../../src/random.ts";
import { positionLaws } from "./position-laws.ts";
import { playthrough } from "./playthrough.ts";
import { allCases, casesOf, someOf } from "../number-of-cases.ts";

/** What the laws need to know of a game beyond its rules. */
export interface LawfulGame {
  /** Names the game and its options; names its golden file too. */
  readonly title: string;
  /** There is another one of this game, which is enough where not all cases are taken. */
  readonly similar?: true;
  readonly game: Game<any>;
  /** Counts for depths 0, 1, 2, ... from the initial state, and where they come from. */
  readonly perft: { readonly counts: readonly number[]; readonly provenance: string };
  /** Positions inside games with counts for depths 0, 1, 2, ... from them, and where they come from. */
  readonly midgame: readonly {
    readonly position: string;
    readonly counts: readonly number[];
    readonly provenance: string;
  }[];
  /** The same count by a second, plain writing of the rules, which reads the position by itself. */
  readonly countFrom: (position: string, depth: number) => number;
  /** No game is longer, chance plies included. */
  readonly longestGame: number;
  /** Plies of the golden playthrough. */
  readonly playthroughPlies: number;
}

/** What every game promises, as tests. */
export function gameLaws(lawful: LawfulGame): void {
  const { title, game } = lawful;
  describe(`laws of ${title}`, () => {
    it(`counts as known: ${lawful.perft.provenance}`, () => {
      const counts = lawful.perft.counts.map((_, depth) => perft(game, game.initial(), depth));
      expect(counts).toEqual(lawful.perft.counts);
    });

    for (const { position, counts, provenance } of lawful.midgame)
      it(`counts as the plain rules do in a position inside a game: ${provenance}`, () => {
        const reading = game.notation.parsePosition(position);
        if ("error" in reading) throw new Error(reading.error.message);
        expect(game.notation.position(reading.state)).toBe(position);
        expect(counts.map((_, depth) => perft(game, reading.state, depth))).toEqual(counts);
        // The last depths take the plain rules most of the time.
        const plain = allCases ? counts : counts.slice(0, Math.max(2, counts.length - 2));
        expect(plain.map((_, depth) => lawful.countFrom(position, depth))).toEqual(plain);
      });

    it("plays the golden game", async () => {
      await expect(playthrough(lawful)).toMatchFileSnapshot(`golden/${title.replaceAll(" ", "-")}.txt`);
    });

    it("starts the same every time, in a state of its own", () => {
      const first = game.initial();
      game.play(first, legalActions(game, first)[0]!);
      const second = game.initial();
      expect(second).toEqual(game.initial());
      expect(second).not.toEqual(first);
    });

    it("lists legal actions in increasing order, in range, without changing the state", () => {
      forEachState(game, "legal", (state) => {
        const before = structuredClone(state);
        const actions = legalActions(game, state);
        expect(state).toEqual(before);
        expect(actions.length).toBeLessThanOrEqual(game.maxLegal);
        expect(actions.length > 0).toBe(game.toMove(state) !== OVER);
        expect(actions).toEqual([...new Set(actions)].toSorted((a, b) => a - b));
        const end = game.toMove(state) === CHANCE ? Infinity : game.actions;
        for (const action of actions) expect(action >= 0 && action < end).toBe(true);
      });
    });

    it("plays on a copy without touching the original, whatever the copy held before", () => {
      const used = lastState(game, Random.named("laws", title, "used"));
      forEachState(game, "copy", (state) => {
        const before = structuredClone(state);
        for (const action of spread(legalActions(game, state))) {
          const fresh = game.initial();
          game.copy(state, fresh);
          game.copy(state, used);
          expect(used).toEqual(state);
          game.play(fresh, action);
          game.play(used, action);
          expect(used).toEqual(fresh);
          expect(state).toEqual(before);
        }
      });
    });

    it("ends, with returns within bounds all along", () => {
      const [least, greatest] = game.returnBounds;
      const returns = new Float64Array(game.players);
      for (let k = 0; k < casesOf(20); k++) {
        let plies = 0;
        forEachPly(game, Random.named("laws", title, "ends", k), (state) => {
          plies++;
          game.returns(state, returns.fill(Number.NaN));
          for (const value of returns) expect(value >= least && value <= greatest).toBe(true);
        });
        expect(plies - 1).toBeLessThanOrEqual(lawful.longestGame);
      }
    });

    it("reads the moves that it writes, each with a text of its own, and no others", () => {
      forEachState(game, "notation", (state) => {
        const actions = legalActions(game, state);
        const texts = actions.map((action) => game.notation.format(state, action));
        expect(new Set(texts).size).toBe(actions.length);
        expect(texts.map((text) => game.notation.parse(state, text))).toEqual(actions);
        for (const text of ["", "?", " ", `${texts[0]} `, `${texts[0]}${texts[0]}`])
          expect(game.notation.parse(state, text)).toBe(undefined);
      });
    });

    it("reads no move that is not legal", () => {
      const seen = new Set<string>();
      forEachState(game, "illegal", (state) => {
        const legal = new Set(legalActions(game, state).map((action) => game.notation.format(state, action)));
        const read = spread([...seen], casesOf(400)).filter(
          (text) => !legal.has(text) && game.notation.parse(state, text) !== undefined,
        );
        expect(read).toEqual([]);
        for (const text of legal) seen.add(text);
      });
    });

    positionLaws(title, game, (law, visit) => forEachState(game, law, visit));

    it("draws", () => {
      const texts = new Set<string>();
      const images = new Set<string>();
      forSomePlies(game, Random.named("laws", title, "draw"), (state) => {
        texts.add(game.drawing.text(state));
        images.add(game.drawing.svg(state));
        expect(game.drawing.svg(state)).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^]*<\/svg>$/);
      });
      expect(texts.size).toBeGreaterThan(1);
      if (game.drawing.seats !== undefined) expect(game.drawing.seats).toHaveLength(game.players);
      expect(images.size).toBeGreaterThan(1);
    });

    it("tells boards as data, and where moves lie on them", () => {
      const { drawing } = game;
      const before: Set<number>[] = [];
      forSomePlies(game, Random.named("laws", title, "board"), (state) => {
        const board = drawing.board!(state);
        expect(JSON.parse(JSON.stringify(board))).toEqual(board);
        expect(board.seats).toHaveLength(game.players);
        for (const { left = [] } of board.seats)
          for (const name of left) expect(drawing.pieceShapes).toHaveProperty(name);
        // What the board of a seat shows does not depend on what is hidden from it.
        if (game.information !== undefined && game.toMove(state) >= 0)
          for (let seat = 0; seat < game.players; seat++) {
            const other = game.initial();
            game.information.determinize(state, seat, Random.named("laws", seat), other);
            expect(drawing.board!(other, seat)).toEqual(drawing.board!(state, seat));
            expect(drawing.board!(state, seat)).not.toEqual(board);
          }
        if (board.kind !== "grid" || game.toMove(state) < 0) return;
        const taken = (at: typeof board, seat?: number) =>
          new Set(
            at.pieces.flatMap((piece) => (seat === undefined || piece.seat === seat ? piece.cells : [])),
          );
        before.push(taken(board));
        const legal = legalActions(game, state);
        for (const action of [legal[0]!, legal.at(-1)!]) {
          const cells = drawing.place!(state, action)?.cells ?? [];
          const after = game.initial();
          game.copy(state, after);
          game.play(after, action);
          const next = drawing.board!(after);
          const own = taken(next as typeof board, game.toMove(state));
          for (const cell of cells) expect(!before.at(-1)!.has(cell) && own.has(cell)).toBe(true);
        }
      });
    });

    if (game.nets !== undefined) netLaws(title, game, game.nets);
    if (game.symmetry !== undefined) symmetryLaws(title, game, game.symmetry);
    if (game.chance !== undefined) chanceLaws(title, game, game.chance);
  });
}

function netLaws(title: string, game: Game<any>, nets: NetAbilities<any>): void {
  planesTogetherLaws(nets.planes);
  for (const [name, planes] of Object.entries(nets.planes)) {
    planesLaws(title, game, name, planes);
    packedPlanesLaws(title, game, name, planes);
  }
  if (nets.actionPlanes !== undefined) actionPlanesLaws(game, nets.actionPlanes);
  if (nets.ownership !== undefined) ownershipLaws(title, game, nets.ownership);
  if (nets.packing !== undefined) packingLaws(title, game, nets.packing);
}

/** Numbers that planes write. */
function sizeOf({ shape: [height, width, channels] }: Planes<any>): number {
  return height * width * channels;
}

/** Cells of the board that the planes show. */
function cellsOf(game: Game<any>): number {
  const [height, width] = Object.values<Planes<any>>(game.nets!.planes)[0]!.shape;
  return height * width;
}

function planesLaws(title: string, game: Game<any>, name: string, planes: Planes<any>): void {
  const size = sizeOf(planes);
  it(`writes all of the planes ${name}, and nothing else`, () => {
    const seen = new Set<string>();
    forSomePlies(game, Random.named("laws", title, "planes"), (state) => {
      const out = new Float32Array(size + 2).fill(Number.NaN);
      planes.write(state, out, 1);
      expect([out[0], out[size + 1]]).toEqual([Number.NaN, Number.NaN]);
      expect(out.subarray(1, size + 1).every((value) => Number.isFinite(value))).toBe(true);
      seen.add(out.join());
    });
    expect(seen.size).toBeGreaterThan(1);
  });
}

/** The planes in row `row`, read number by number as the encoding's definition says. */
function unpacked(planes: Planes<any>, { bytes, floats }: PackedRows, row: number): Float32Array {
  const [height, width, channels] = planes.shape;
  const cells = height * width;
  const packer = new PlanePacker(planes);
  let byte = row * packer.bytes;
  let float = row * packer.floats;
  const out = new Float32Array(sizeOf(planes)).fill(Number.NaN);
  let channel = 0;
  for (const group of planes.encoding ?? [{ as: "floats" as const, channels }])
    for (const end = channel + group.channels; channel < end; channel++) {
      for (let cell = 0; cell < cells; cell++)
        out[cell * channels + channel] = {
          bits: () => Math.floor(bytes[byte + Math.floor(cell / 8)]! / 2 ** (cell % 8)) % 2,
          bytes: () => bytes[byte + cell]! / ("divisor" in group ? group.divisor : 1),
          uniform: () => floats[float]!,
          floats: () => floats[float + cell]!,
        }[group.as]();
      byte += { bits: Math.ceil(cells / 8), bytes: cells, uniform: 0, floats: 0 }[group.as];
      float += { bits: 0, bytes: 0, uniform: 1, floats: cells }[group.as];
    }
  return out;
}

function packedPlanesLaws(title: string, game: Game<any>, name: string, planes: Planes<any>): void {
  it(`packs the planes ${name} without loss`, () => {
    const packer = new PlanePacker(planes);
    const rows = {
      bytes: new Uint8Array(3 * packer.bytes).fill(0xa5),
      floats: new Float32Array(3 * packer.floats).fill(-7),
    };
    const out = new Float32Array(sizeOf(planes));
    forSomePlies(game, Random.named("laws", title, "packed planes"), (state) => {
      planes.write(state, out, 0);
      packer.write(state, rows, 1);
      expect(unpacked(planes, rows, 1)).toEqual(out);
    });
    for (const row of [0, 2]) {
      const { bytes, floats } = packer;
      expect(rows.bytes.subarray(row * bytes, (row + 1) * bytes).every((byte) => byte === 0xa5)).toBe(true);
      expect(rows.floats.subarray(row * floats, (row + 1) * floats).every((float) => float === -7)).toBe(
        true,
      );
    }
  });
}

function planesTogetherLaws(planes: Readonly<Record<string, Planes<any>>>): void {
  it("shows the same cells in all planes", () => {
    const boards = Object.values(planes).map(({ shape: [height, width] }) => `${height}x${width}`);
    expect(new Set(boards).size).toBe(1);
  });
}

function actionPlanesLaws(game: Game<any>, { planes, offBoard = 0, index }: ActionPlanes): void {
  it("gives every action a plane and a cell of its own, or a place after them", () => {
    const places = Array.from({ length: game.actions }, (_, action) => index(action));
    expect(new Set(places).size).toBe(game.actions);
    const onBoard = planes * cellsOf(game);
    expect(places.every((place) => place >= 0 && place < onBoard + offBoard)).toBe(true);
    expect(places.filter((place) => place >= onBoard).length).toBe(offBoard);
  });
}

function ownershipLaws(title: string, game: Game<any>, ownership: Ownership<any>): void {
  it("tells for each cell the seat that holds it, also in images under symmetries", () => {
    const cells = cellsOf(game);
    const held = (state: unknown) => {
      const out = new Int8Array(cells).fill(99);
      ownership(state, out);
      expect(out.every((seat) => seat >= -1 && seat < game.players)).toBe(true);
      return out;
    };
    const counts = (out: Int8Array, seatOf: (seat: number) => number) =>
      Array.from(
        { length: game.players },
        (_, seat) => out.filter((by) => by >= 0 && seatOf(by) === seat).length,
      );
    const { symmetry } = game;
    const image = game.initial();
    forSomePlies(game, Random.named("laws", title, "ownership"), (state) => {
      const here = held(state);
      for (let number = 1; number < (symmetry?.count ?? 0); number++) {
        symmetry!.transform(state, number, image);
        expect(counts(held(image), (seat) => seat)).toEqual(
          counts(here, (seat) => symmetry!.seat(seat, number)),
        );
      }
    });
  });
}

function packingLaws(title: string, game: Game<any>, packing: Packing<any>): void {
  it("packs all that the planes show, in its bytes alone", () => {
    const used = lastState(game, Random.named("laws", title, "packed over"));
    forEachState(game, "packing", (state) => {
      const bytes = new Uint8Array(packing.bytes + 2).fill(0xa5);
      packing.pack(state, bytes, 1);
      expect([bytes[0], bytes[packing.bytes + 1]]).toEqual([0xa5, 0xa5]);
      packing.unpack(bytes, 1, used);
      expect(planesOf(game, used)).toEqual(planesOf(game, state));
      const again = new Uint8Array(packing.bytes);
      packing.pack(used, again, 0);
      expect(again).toEqual(bytes.slice(1, -1));
    });
  });
}

function symmetryLaws(title: string, game: Game<any>, symmetry: Symmetry<any>): void {
  const all = Array.from({ length: symmetry.count }, (_, number) => number);
  const used = lastState(game, Random.named("laws", title, "transformed over"));
  const image = (state: unknown, number: number) => {
    const into = game.initial();
    game.copy(used, into);
    symmetry.transform(state, number, into);
    return into;
  };

  it("has the identity as symmetry 0, and with each symmetry its inverse", () => {
    const state = midState(game, Random.named("laws", title, "inverse"));
    expect(image(state, 0)).toEqual(state);
    const actions = Array.from({ length: game.actions }, (_, action) => action);
    const seats = Array.from({ length: game.players }, (_, seat) => seat);
    expect(actions.map((action) => symmetry.action(action, 0))).toEqual(actions);
    expect(seats.map((seat) => symmetry.seat(seat, 0))).toEqual(seats);
    for (const number of all) {
      const inverse = all.filter(
        (other) =>
          actions.every((a) => symmetry.action(symmetry.action(a, number), other) === a) &&
          seats.every((seat) => symmetry.seat(symmetry.seat(seat, number), other) === seat),
      );
      expect(inverse.length).toBe(1);
      expect(image(image(state, number), inverse[0]!)).toEqual(state);
    }
  });

  it("transforms in place as it does into another state", () => {
    forEachState(game, "in place", (state) => {
      for (const number of all) {
        const expected = image(state, number);
        const inPlace = game.initial();
        game.copy(state, inPlace);
        symmetry.transform(inPlace, number, inPlace);
        expect(inPlace).toEqual(expected);
      }
    });
  });

  it("plays a transformed game as the transform of the game", () => {
    const returns = new Float64Array(game.players);
    const transformed = new Float64Array(game.players);
    forEachState(game, "symmetry", (state) => {
      const mover = game.toMove(state);
      for (const number of all) {
        const other = image(state, number);
        game.returns(state, returns);
        game.returns(other, transformed);
        for (let seat = 0; seat < game.players; seat++)
          expect(transformed[symmetry.seat(seat, number)]).toBe(returns[seat]);
        expect(game.toMove(other)).toBe(mover < 0 ? mover : symmetry.seat(mover, number));
        const actions = legalActions(game, state);
        const after = (from: unknown, action: number) => {
          const next = game.initial();
          game.copy(from, next);
          game.play(next, action);
          return next;
        };
        if (mover === CHANCE) {
          // Outcomes have no symmetry of their own: the two sets of next states are compared.
          const texts = (states: unknown[]) => states.map((each) => game.drawing.text(each)).toSorted();
          expect(texts(legalActions(game, other).map((action) => after(other, action)))).toEqual(
            texts(actions.map((action) => image(after(state, action), number))),
          );
          continue;
        }
        const mapped = actions.map((action) => symmetry.action(action, number));
        expect(mapped.toSorted((a, b) => a - b)).toEqual(legalActions(game, other));
        for (const action of spread(actions))
          expect(after(other, symmetry.action(action, number))).toEqual(image(after(state, action), number));
      }
    });
  });
}

function chanceLaws(title: string, game: Game<any>, chance: NonNullable<Game<any>["chance"]>): void {
  it("gives every outcome a probability, one in all", () => {
    const actions = new Int32Array(game.maxLegal);
    const probabilities = new Float64Array(game.maxLegal);
    forEachState(game, "outcomes", (state) => {
      if (game.toMove(state) !== CHANCE) return;
      const count = chance.outcomes(state, actions, probabilities);
      expect([...actions.subarray(0, count)]).toEqual(legalActions(game, state));
      const given = probabilities.subarray(0, count);
      expect(given.every((probability) => probability > 0)).toBe(true);
      expect(given.reduce((sum, probability) => sum + probability, 0)).toBeCloseTo(1, 12);
    });
  });

  it("draws outcomes as often as their probabilities say (chi-square)", () => {
    const actions = new Int32Array(game.maxLegal);
    const probabilities = new Float64Array(game.maxLegal);
    const random = Random.named("laws", title, "chi-square");
    const draws = casesOf(20_000);
    let tested = 0;
    forEachPly(game, Random.named("laws", title, "chance states"), (state) => {
      if (game.toMove(state) !== CHANCE || tested === 8) return;
      tested++;
      const count = chance.outcomes(state, actions, probabilities);
      const drawn = new Map<number, number>();
      for (let i = 0; i < draws; i++) {
        const outcome = chance.sample(state, random);
        drawn.set(outcome, (drawn.get(outcome) ?? 0) + 1);
      }
      let statistic = 0;
      let found = 0;
      for (let i = 0; i < count; i++) {
        const observed = drawn.get(actions[i]!) ?? 0;
        found += observed;
        statistic += (observed - draws * probabilities[i]!) ** 2 / (draws * probabilities[i]!);
      }
      expect(found).toBe(draws);
      expect(statistic).toBeLessThan(chiSquareQuantile(count - 1));
    });
    expect(tested).toBeGreaterThan(2);
  });
}

/** The .9999 quantile of chi-square, by Wilson and Hilferty's cube (1931). */
function chiSquareQuantile(degrees: number): number {
  const spread = 2 / (9 * degrees);
  return degrees * (1 - spread + 3.719 * Math.sqrt(spread)) ** 3;
}

function legalActions(game: Game<any>, state: unknown): number[] {
  const out = new Int32Array(game.maxLegal);
  return [...out.subarray(0, game.legal(state, out))];
}

/** About `most` of them at most, from the first to the last: enough where there are hundreds. */
function spread<T>(all: readonly T[], most = casesOf(16)): readonly T[] {
  const every = Math.ceil(all.length / most);
  return all.filter((_, i) => i % every === 0);
}

function planesOf(game: Game<any>, state: unknown): Float32Array[] {
  return Object.values<Planes<any>>(game.nets?.planes ?? {}).map((planes) => {
    const out = new Float32Array(sizeOf(planes));
    planes.write(state, out, 0);
    return out;
  });
}

/** Every state of one game of uniformly random moves and drawn chance outcomes, the last one included. */
function forEachPly(game: Game<any>, random: Random, visit: (state: unknown) => void): void {
  const state = game.initial();
  for (;;) {
    visit(state);
    const mover = game.toMove(state);
    if (mover === OVER) return;
    const actions = legalActions(game, state);
    game.play(
      state,
      mover === CHANCE ? game.chance!.sample(state, random) : actions[random.below(actions.length)]!,
    );
  }
}

/** Some states of such a game: all where all cases are asked for, else every fifth; the last one always. */
function forSomePlies(game: Game<any>, random: Random, visit: (state: unknown) => void): void {
  const states: unknown[] = [];
  forEachPly(game, random, (state) => states.push(structuredClone(state)));
  for (const state of new Set([...someOf(states), states.at(-1)])) visit(state);
}

/** States from all phases of two games: about 40 in all or a fifth, the first and the last of each game among them. */
function forEachState(game: Game<any>, law: string, visit: (state: unknown) => void): void {
  for (let k = 0; k < 2; k++) {
    const random = () => Random.named("laws", game.name, law, k);
    let plies = 0;
    forEachPly(game, random(), () => plies++);
    const every = Math.max(1, Math.floor(plies / casesOf(20)));
    let ply = 0;
    forEachPly(game, random(), (state) => {
      if (ply % every === ply % 2 || ply === plies - 1) visit(structuredClone(state));
      ply++;
    });
  }
}

function lastState(game: Game<any>, random: Random): any {
  let last: unknown;
  forEachPly(game, random, (state) => (last = state));
  return last;
}

function midState(game: Game<any>, random: Random): any {
  const states: unknown[] = [];
  forEachPly(game, random, (state) => states.push(structuredClone(state)));
  return states[Math.floor(states.length / 2)];
}

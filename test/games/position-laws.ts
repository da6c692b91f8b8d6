import fc from "fast-check";
import { expect, it } from "vitest";
import { CHANCE, OVER } from "../../src/games/game.ts";
import type { Game, PositionErrorCode } from "../../src/games/game.ts";
import { Random } from "../../src/random.ts";
import { casesOf } from "../number-of-cases.ts";

const CODES: readonly PositionErrorCode[] = [
  "ERR_SYNTAX",
  "ERR_SIZE",
  "ERR_PIECES",
  "ERR_CARDS",
  "ERR_TURN",
  "ERR_SCORE",
];

/** Damaged texts of one position. */
const DAMAGED = 24;
/** Plies played on from a position; to the end of the game from every tenth. */
const PLIES = 20;

/** What every game promises of the notation of its positions; `forEachState` visits states from all phases of games. */
export function positionLaws(
  title: string,
  game: Game<any>,
  forEachState: (law: string, visit: (state: unknown) => void) => void,
): void {
  const { notation } = game;
  const read = (text: string): unknown => {
    const reading = notation.parsePosition(text);
    if ("error" in reading) throw new Error(`${reading.error.code}: ${reading.error.message}\n${text}`);
    return reading.state;
  };

  it("reads the positions that it writes, and they play on identically", () => {
    const random = Random.named("laws", title, "positions");
    let visited = 0;
    forEachState("position", (state) => {
      const limit = visited++ % 10 === 0 ? Infinity : PLIES;
      const text = notation.position(state);
      expect(text).not.toMatch(/\n|^ | $| {2}/);
      const other = read(text);
      const original = structuredClone(state);
      for (let ply = 0; ; ply++) {
        const now = view(game, other);
        expect(now).toEqual(view(game, original));
        if (now.toMove === OVER || ply === limit) break;
        const action =
          now.toMove === CHANCE
            ? game.chance!.sample(original, random)
            : now.legal[random.below(now.legal.length)]!;
        game.play(original, action);
        game.play(other, action);
      }
    });
  });

  it("gives a coded error or a sound position for every damaged text", () => {
    const random = Random.named("laws", title, "damaged positions");
    const seen: string[] = [];
    const refused = new Set<PositionErrorCode>();
    let accepted = 0;
    forEachState("damaged", (state) => {
      const text = notation.position(state);
      seen.push(text);
      for (let i = 0; i < DAMAGED; i++) {
        const damaged = damage(text, seen, random);
        const reading = notation.parsePosition(damaged);
        if ("error" in reading) {
          const { code, message } = reading.error;
          expect(CODES, damaged).toContain(code);
          expect(message, damaged).toMatch(/\w/);
          refused.add(code);
          continue;
        }
        if (damaged !== text) accepted++;
        const again = notation.position(reading.state);
        expect(view(game, read(again)), damaged).toEqual(view(game, reading.state));
        // A sound position can be played on.
        const on = reading.state;
        for (let ply = 0; ply < PLIES && game.toMove(on) !== OVER; ply++) {
          const { legal, toMove } = view(game, on);
          expect(legal.length, damaged).toBeGreaterThan(0);
          if (toMove >= 0) game.information?.determinize(on, toMove, random, game.initial());
          game.play(
            on,
            toMove === CHANCE ? game.chance!.sample(on, random) : legal[random.below(legal.length)]!,
          );
        }
      }
    });
    expect(accepted).toBeGreaterThan(0);
    expect(refused.size).toBeGreaterThan(2);
    for (const text of ["", " ", "-", "8/8/8/8/8/8/8/8 w - - 0 1"])
      expect(notation.parsePosition(text), text).toHaveProperty("error");
    fc.assert(
      fc.property(fc.string(), (text) => "error" in notation.parsePosition(text)),
      {
        numRuns: casesOf(100),
      },
    );
  });
}

/** All that the rest of a game depends on, as far as the contract shows it. */
function view(game: Game<any>, state: unknown) {
  const out = new Int32Array(game.maxLegal);
  const hash = new Int32Array(2);
  game.depthFirst?.hash?.(state, hash);
  const returns = new Float64Array(game.players);
  game.returns(state, returns);
  return {
    text: game.notation.position(state),
    toMove: game.toMove(state),
    legal: [...out.subarray(0, game.legal(state, out))],
    returns: [...returns],
    hash: [...hash],
  };
}

/** One to three random edits: characters changed, moved, left out or doubled; parts exchanged with another text's. */
function damage(text: string, others: readonly string[], random: Random): string {
  const pick = <T>(from: readonly T[]): T => from[random.below(from.length)]!;
  let damaged = text;
  for (let edits = 1 + random.below(3); edits > 0; edits--) {
    const at = random.below(damaged.length + 1);
    const other = pick(others);
    const kind = random.below(6);
    if (kind === 0) damaged = damaged.slice(0, at) + damaged.slice(at + 1);
    else if (kind === 1) damaged = damaged.slice(0, at) + pick(other.split("")) + damaged.slice(at);
    else if (kind === 2) damaged = damaged.slice(0, at) + pick(other.split("")) + damaged.slice(at + 1);
    else if (kind === 3) damaged = exchanged(damaged, random);
    else {
      const parts = damaged.split(" ");
      const theirs = other.split(" ");
      const which = random.below(parts.length);
      if (kind === 4) parts[which] = theirs[Math.min(which, theirs.length - 1)]!;
      else parts.splice(which, 1 + random.below(2));
      damaged = parts.join(" ");
    }
  }
  return damaged;
}

/** Two characters of a text exchanged. */
function exchanged(text: string, random: Random): string {
  if (text === "") return text;
  const characters = text.split("");
  const [a, b] = [random.below(characters.length), random.below(characters.length)];
  [characters[a], characters[b]] = [characters[b]!, characters[a]!];
  return characters.join("");
}

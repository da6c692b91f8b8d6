import type { SgfFoundProperty, SgfNode, SgfPlace } from "../../../formats/sgf/sgf.ts";
import { sgfSimpleText, sgfText } from "../../../formats/sgf/values.ts";
import { OVER } from "../../game.ts";
import { BLACK, EMPTY, WHITE } from "../board.ts";
import { mostHandicapStones } from "../handicap.ts";
import { isLegalGo } from "../legal.ts";
import { type GoRules, goRules, type OptionsGo } from "../options.ts";
import { playGo } from "../play.ts";
import { initialGo, setUpGo, stonesOf } from "../set-up.ts";
import type { GoState } from "../state.ts";
import { isSuicide } from "../superko.ts";
import {
  type GoSgfResult,
  type GoSgfRules,
  komiOfSgf,
  resultOfSgf,
  rulesOfSgf,
  sizeOfSgf,
} from "./game-info.ts";
import { moveOfSgf, pointsOfSgf } from "./points.ts";

/**
 * The game is not one of Go that can be played here: `ERR_GAME` for another game, `ERR_SIZE` for another size of the
 * board. The message begins with the place.
 */
export class GoSgfInvalid extends Error {
  override readonly name = "GoSgfInvalid";
  readonly code: "ERR_GAME" | "ERR_SIZE";

  constructor(code: "ERR_GAME" | "ERR_SIZE", place: SgfPlace, what: string) {
    super(at(place, what));
    this.code = code;
  }
}

/** A part of a line that begins with a position, and continues with moves that are legal one after the other. */
export interface GoSgfSection {
  /** By point: EMPTY, BLACK or WHITE. `setUpGo` makes the state of it. */
  readonly stones: Uint8Array;
  /** The seat to move first. */
  readonly first: number;
  readonly actions: readonly number[];
  /** By action: the index in the line of the node that has it. */
  readonly nodes: readonly number[];
}

/** A line of a Go game as SGF holds it. */
export interface GoSgfGame {
  /** `handicap` is not 0 only if the first section begins as a game with these options does. */
  readonly options: OptionsGo;
  /** At least one. Stones set up in the middle, moves out of turn, and moves after the end begin another one. */
  readonly sections: readonly GoSgfSection[];
  /** Why the line ends before its last node, with the place: an illegal move. Absent if all of it could be read. */
  readonly broken?: string;
  /** Everything else that is not as it should be, with the place, and what was done. */
  readonly warnings: readonly string[];
  /** By seat: the name (PB, PW) or "". */
  readonly players: readonly [string, string];
  /** By seat: the rank or rating (BR, WR) or "". */
  readonly ranks: readonly [string, string];
  /** The names of the rules (RU), and the date (DT), or "". */
  readonly rules: string;
  readonly date: string;
  readonly result: GoSgfResult;
  /** By node of the line that has one: its comment. */
  readonly comments: ReadonlyMap<number, string>;
}

type Found = SgfFoundProperty;

/**
 * Reads a line of a game, such as `sgfMainLine` gives: its rules, positions and moves. Throws GoSgfInvalid for another
 * game (GM) and another size of the board (SZ) than 2 to 19.
 *
 * Handicap stones are read as set up: by AB, as the first moves of Black if HA has their number, or on the fixed
 * places if there is only HA.
 *
 * @param rules What moves are allowed; absent: what the file says of its rules (RU).
 */
export function readGoSgf(line: readonly SgfNode<Found>[], rules?: GoSgfRules): GoSgfGame {
  return new LineReader(line, rules).read();
}

class LineReader {
  readonly #line: readonly SgfNode<Found>[];
  readonly #properties = new Map<string, Found>();
  readonly #warnings: string[] = [];
  readonly #sections: { stones: Uint8Array; first: number; actions: number[]; nodes: number[] }[] = [];
  readonly #comments = new Map<number, string>();
  readonly #options: OptionsGo;
  readonly #rules: GoRules;
  /** The position before the first move of the next section. */
  #stones: Uint8Array;
  /** The seat that PL has put to move, until the next move. */
  #mover: number | undefined;
  /** The position of the present section; undefined if none is open. */
  #state: GoState | undefined;
  #broken: string | undefined;

  constructor(line: readonly SgfNode<Found>[], given: GoSgfRules | undefined) {
    this.#line = line;
    for (const node of line)
      for (const property of node)
        if (!this.#properties.has(property.name)) this.#properties.set(property.name, property);
    this.#options = this.#readOptions(given);
    this.#rules = goRules(this.#options);
    this.#stones = new Uint8Array(this.#rules.board.points);
  }

  read(): GoSgfGame {
    const handicap = this.#readHandicap();
    for (const [index, node] of this.#line.entries()) {
      const comments = node.filter(({ name }) => name === "C").flatMap(({ values }) => values);
      if (comments.length > 0) this.#comments.set(index, comments.map(sgfText).join("\n"));
      if (this.#broken !== undefined) continue;
      this.#setUp(node);
      for (const property of node)
        if ((property.name === "B" || property.name === "W") && this.#broken === undefined)
          this.#move(property, index);
    }
    // A position without a move after it.
    if (this.#state === undefined && this.#broken === undefined)
      this.#open(this.#mover ?? (this.#hasHandicapStones() ? 1 : 0), this.#line[0]?.[0]);
    if (this.#sections.length === 0)
      this.#sections.push({ stones: this.#stones, first: 0, actions: [], nodes: [] });
    const text = (name: string): string => this.#text(name);
    return {
      options: { ...this.#options, handicap: this.#fixedHandicap(handicap) },
      sections: this.#sections,
      ...(this.#broken === undefined ? {} : { broken: this.#broken }),
      warnings: this.#warnings,
      players: [text("PB"), text("PW")],
      ranks: [text("BR"), text("WR")],
      rules: text("RU"),
      date: text("DT"),
      result: resultOfSgf(text("RE")),
      comments: this.#comments,
    };
  }

  #readOptions(given: GoSgfRules | undefined): OptionsGo {
    const gm = this.#properties.get("GM");
    if (gm !== undefined && this.#text("GM").trim() !== "1")
      throw new GoSgfInvalid("ERR_GAME", gm, `GM[${this.#text("GM")}] is another game; Go is GM[1]`);
    const sz = this.#properties.get("SZ");
    const size = sz === undefined ? 19 : sizeOfSgf(this.#text("SZ"));
    if (size === undefined)
      throw new GoSgfInvalid(
        "ERR_SIZE",
        sz!,
        `SZ[${this.#text("SZ")}] is not a board that is played here; those of 2 to 19 rows and columns are`,
      );
    const { superko, suicide } = given ?? rulesOfSgf(this.#text("RU"));
    return { size, komi: this.#readKomi(), superko, suicide, handicap: 0, moveLimit: 0 };
  }

  #readKomi(): number {
    // Newspapers' files have it as KO, which is a mark of moves elsewhere.
    const found = this.#properties.get("KM") ?? this.#line[0]?.find(({ name }) => name === "KO");
    if (found === undefined) {
      this.#warnings.push("no komi (KM); read as 0");
      return 0;
    }
    const text = sgfSimpleText(found.values[0]!);
    const foxServer = this.#line[0]!.some(({ name, values }) => name === "AP" && /foxwq/i.test(values[0]!));
    const komi = komiOfSgf(text, foxServer);
    if (komi === undefined) this.#warn(found, `${found.name}[${text}] is not a komi; read as 0`);
    else if (found.name !== "KM") this.#warn(found, `${found.name}[${text}] is read as the komi, ${komi}`);
    else if (Number(text) !== komi) this.#warn(found, `KM[${text}] is read as a komi of ${komi}`);
    return komi ?? 0;
  }

  /** The number of handicap stones by HA. If no node before the first move sets up stones, sets them up. */
  #readHandicap(): number {
    const found = this.#properties.get("HA");
    if (found === undefined) return 0;
    const text = this.#text("HA").trim();
    const stones = /^\d+$/.test(text) ? Number(text) : undefined;
    if (stones === undefined) this.#warn(found, `HA[${text}] is not a number; left out`);
    if (stones === undefined || stones < 2) return 0;
    const first = this.#line.findIndex((node) => node.some(({ name }) => name === "B" || name === "W"));
    const before = first < 0 ? this.#line : this.#line.slice(0, first + 1);
    const setUp = before.flat().filter(({ name }) => name === "AB");
    if (setUp.length > 0) return stones;
    const moves = this.#line.flatMap((node) => node.filter(({ name }) => name === "B" || name === "W"));
    const white = moves.findIndex(({ name }) => name === "W");
    const blacks = white < 0 ? moves.length : white;
    if (blacks >= stones) {
      // The node reader takes them for set-up stones.
      for (const move of moves.slice(0, stones)) this.#handicapMoves.add(move);
      this.#warn(found, `the first ${stones} moves of Black are read as the stones of HA[${text}]`);
    } else if (blacks === 0) this.#placeFixed(found, stones);
    else this.#warn(found, `HA[${text}] without its stones; left out`);
    return stones;
  }

  /** Moves that are read as handicap stones. */
  readonly #handicapMoves = new Set<Found>();

  #placeFixed(found: Found, stones: number): void {
    const fixed = this.#stonesOf(stones);
    if (fixed === undefined) this.#warn(found, `HA[${stones}] has no fixed places on this board; left out`);
    else {
      this.#stones.set(fixed);
      this.#warn(found, `HA[${stones}] without stones; they are set up on their fixed places`);
    }
  }

  /** The stones of a game that begins with this handicap; undefined if there is none of them. */
  #stonesOf(handicap: number): Uint8Array | undefined {
    const { board } = this.#rules;
    if (handicap < 2 || handicap > mostHandicapStones(board.size)) return undefined;
    return stonesOf(initialGo({ ...this.#rules, handicap }), board);
  }

  /** The handicap of a game that begins as the first section does; 0 if no handicap does. */
  #fixedHandicap(handicap: number): OptionsGo["handicap"] {
    const { first, stones } = this.#sections[0]!;
    const fixed = first === 1 ? this.#stonesOf(handicap) : undefined;
    const same = fixed?.every((colour, point) => colour === stones[point]) === true;
    return same ? handicap : 0;
  }

  #hasHandicapStones(): boolean {
    return this.#stones.includes(BLACK) && !this.#stones.includes(WHITE);
  }

  /** Sets up what a node has of stones, empty points and the mover. */
  #setUp(node: SgfNode<Found>): void {
    for (const property of node) {
      const colour = { AB: BLACK, AW: WHITE, AE: EMPTY }[property.name];
      if (colour !== undefined) {
        this.#close();
        this.#setPoints(property, colour);
      } else if (property.name === "PL") {
        const seat = ["b", "w"].indexOf(sgfSimpleText(property.values[0]!).trim().slice(0, 1).toLowerCase());
        if (seat < 0) this.#warn(property, `PL[${property.values[0]}] is not a colour; left out`);
        else {
          this.#close();
          this.#mover = seat;
        }
      }
    }
  }

  #setPoints(property: Found, colour: number): void {
    for (const value of property.values) {
      const points = pointsOfSgf(this.#rules.board.size, value);
      if (points === undefined) this.#warn(property, `${property.name}[${value}] is not a point; left out`);
      for (const point of points ?? []) this.#stones[point] = colour;
    }
  }

  /** Ends the present section; what comes next begins with its last position, and the mover of it. */
  #close(): void {
    if (this.#state === undefined) return;
    const { toMove } = this.#state;
    this.#stones = stonesOf(this.#state, this.#rules.board);
    this.#mover = toMove === OVER ? undefined : toMove;
    this.#state = undefined;
  }

  /** Begins a section, with a seat to move; false if the position is impossible. */
  #open(first: number, place: SgfPlace | undefined): boolean {
    this.#mover = undefined;
    this.#state = setUpGo(this.#rules, this.#stones, first);
    if (this.#state === undefined)
      this.#broken = at(place ?? { line: 1, column: 1 }, "stones that are set up have no liberty");
    else this.#sections.push({ stones: this.#stones, first, actions: [], nodes: [] });
    return this.#state !== undefined;
  }

  #move(property: Found, node: number): void {
    const { board } = this.#rules;
    const { name, values } = property;
    const seat = name === "B" ? 0 : 1;
    if (this.#handicapMoves.has(property)) return this.#setPoints(property, BLACK);
    if (values.length > 1) this.#warn(property, `${name} has ${values.length} values; the first is read`);
    const value = sgfSimpleText(values[0]!);
    const action = moveOfSgf(board.size, value);
    if (action === undefined) {
      this.#broken = at(
        property,
        `${name}[${value}] is not a point of a board of ${board.size}x${board.size}`,
      );
      return;
    }
    const mover = this.#state?.toMove ?? this.#mover ?? seat;
    if (mover === OVER) {
      if (action === board.pass) {
        this.#warn(property, "a pass after the end of the game; left out");
        return;
      }
      this.#warn(property, "the game continues after two passes");
    } else if (mover !== seat)
      this.#warn(
        property,
        `${name}[${value}] is out of turn; the position is taken as one with its colour to move`,
      );
    if (mover !== seat) this.#close();
    if (this.#state === undefined && !this.#open(seat, property)) return;
    const why = this.#whyIllegal(this.#state!, action);
    if (why !== undefined) {
      this.#broken = at(property, `${name}[${value}] is not legal: ${why}`);
      return;
    }
    playGo(this.#state!, this.#rules, action);
    const { actions, nodes } = this.#sections.at(-1)!;
    actions.push(action);
    nodes.push(node);
  }

  #whyIllegal(state: GoState, action: number): string | undefined {
    if (isLegalGo(state, this.#rules, action)) return undefined;
    const { board, suicide } = this.#rules;
    const cell = board.cellOf[action]!;
    if (state.colour[cell] !== EMPTY) return "the point is occupied";
    if (cell === state.ko) return "it takes back a ko at once";
    return !suicide && isSuicide(state, board, cell) ? "it is suicide" : "it repeats a position";
  }

  #text(name: string): string {
    const found = this.#properties.get(name);
    return found === undefined ? "" : sgfSimpleText(found.values[0]!).trim();
  }

  #warn(place: SgfPlace, what: string): void {
    this.#warnings.push(at(place, what));
  }
}

function at({ line, column }: SgfPlace, what: string): string {
  return `line ${line}, column ${column}: ${what}`;
}

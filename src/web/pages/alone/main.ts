import { drawBoard } from "../../../figures/boards/draw-board.ts";
import type { GridBoard } from "../../../figures/boards/board.ts";
import { withLastMove } from "../../../figures/boards/last-move.ts";
import { gridLayout } from "../../../figures/boards/grid-layout.ts";
import { type Game, OVER } from "../../../games/game.ts";
import { seatName } from "../../../games/seat-name.ts";
import { aloneGame } from "../../alone/games.ts";
import { linearPlayer } from "../../alone/linear-player.ts";
import { DATA_ID, MOST_PLIES, type PlayerData } from "../../alone/player-data.ts";

/** One game of a person against the player of this page. */
class GameAlone {
  readonly #game: Game<unknown>;
  readonly #data: PlayerData;
  readonly #actions: number[] = [];
  #plies: number;
  #person = 0;
  #state: unknown;
  #choose: (state: unknown) => number;

  constructor(game: Game<unknown>, data: PlayerData) {
    this.#game = game;
    this.#data = data;
    this.#plies = data.plies;
    this.#state = game.initial();
    this.#choose = linearPlayer(game, data.weights, this.#plies);
    part("new").addEventListener("click", () => this.begin(this.#person));
    part("swap").addEventListener("click", () => this.begin(1 - this.#person));
    part("undo").addEventListener("click", () => this.#undo());
    const levels = part("plies") as HTMLSelectElement;
    for (let plies = 0; plies <= MOST_PLIES; plies++) levels.add(new Option(levelText(plies), String(plies)));
    levels.value = String(this.#plies);
    levels.addEventListener("change", () => {
      this.#plies = Number(levels.value);
      this.#choose = linearPlayer(game, data.weights, this.#plies);
    });
    part("board").addEventListener("pointerdown", (event) => this.#press(event));
    new ResizeObserver(() => this.#draw()).observe(part("board"));
  }

  /** Begins a game in which the person has a seat. */
  begin(person: number): void {
    this.#person = person;
    this.#actions.length = 0;
    this.#state = this.#game.initial();
    this.#showPosition();
  }

  /** The legal moves of the position, by their texts. */
  #moves(): ReadonlyMap<string, number> {
    const legal = new Int32Array(this.#game.maxLegal);
    const count = this.#game.legal(this.#state, legal);
    return new Map(
      Array.from(legal.subarray(0, count), (action) => [
        this.#game.notation.format(this.#state, action),
        action,
      ]),
    );
  }

  #play(action: number): void {
    this.#game.play(this.#state, action);
    this.#actions.push(action);
    this.#showPosition();
  }

  /** Shows the position; the player moves if it is its turn. */
  #showPosition(): void {
    this.#draw();
    const mover = this.#game.toMove(this.#state);
    if (mover === OVER || mover === this.#person) return;
    // The page is drawn before the player thinks.
    window.setTimeout(() => {
      if (this.#game.toMove(this.#state) === mover) this.#play(this.#choose(this.#state));
    });
  }

  /** Takes back the person's last move and the reply. */
  #undo(): void {
    const movers: number[] = [];
    const state = this.#game.initial();
    for (const action of this.#actions) {
      movers.push(this.#game.toMove(state));
      this.#game.play(state, action);
    }
    const last = movers.lastIndexOf(this.#person);
    if (last < 0) return;
    this.#actions.length = last;
    this.#state = this.#game.initial();
    for (const action of this.#actions) this.#game.play(this.#state, action);
    this.#showPosition();
  }

  #press(event: PointerEvent): void {
    if (this.#game.toMove(this.#state) !== this.#person) return;
    const svg = part("board").querySelector("svg")!.getBoundingClientRect();
    const { cellAt } = gridLayout(this.#board(), this.#width());
    const cell = cellAt(event.clientX - svg.left, event.clientY - svg.top);
    for (const action of this.#moves().values()) {
      const place = this.#game.drawing.place?.(this.#state, action);
      if (cell !== undefined && (place?.reach ?? place?.cells)?.includes(cell) === true) {
        this.#play(action);
        return;
      }
    }
  }

  #board(): GridBoard {
    const { drawing } = this.#game;
    const board = drawing.board!(this.#state) as GridBoard;
    const action = this.#actions.at(-1);
    if (action === undefined) return board;
    const before = this.#game.initial();
    for (const each of this.#actions.slice(0, -1)) this.#game.play(before, each);
    return withLastMove(board, drawing.place?.(before, action), drawing.board!(before)) as GridBoard;
  }

  #width(): number {
    return Math.min(part("board").clientWidth, 560);
  }

  #draw(): void {
    const { drawing, notation } = this.#game;
    const mover = this.#game.toMove(this.#state);
    const yours = mover === this.#person;
    const moves = mover === OVER ? [] : [...this.#moves()];
    const cells = moves.flatMap(([, action]) => drawing.place?.(this.#state, action)?.cells ?? []);
    const board = this.#board();
    part("board").innerHTML = drawBoard(board, this.#width(), yours ? { dots: cells } : {}).text;
    part("status").textContent = this.#status(mover);
    const list = part("moves");
    list.replaceChildren(
      ...moves.map(([text, action]) => {
        const button = document.createElement("button");
        button.textContent = text;
        button.disabled = !yours;
        button.addEventListener("click", () => this.#play(action));
        return button;
      }),
    );
    part("you").textContent =
      `You are ${seatName(this.#game, this.#person)}; ${this.#data.name} is ${seatName(this.#game, 1 - this.#person)}.`;
    part("board").setAttribute("aria-label", notation.position(this.#state));
    (part("undo") as HTMLButtonElement).disabled = this.#actions.length === 0;
  }

  #status(mover: number): string {
    if (mover === this.#person) return "Your move.";
    if (mover !== OVER) return `${this.#data.name} thinks.`;
    const returns = new Float64Array(2);
    this.#game.returns(this.#state, returns);
    const [own, other] = [returns[this.#person]!, returns[1 - this.#person]!];
    return own === other ? "A draw." : own > other ? "You have won." : `${this.#data.name} has won.`;
  }
}

function levelText(plies: number): string {
  return plies === 0 ? "looks at its move alone" : `looks ${plies} ${plies === 1 ? "reply" : "plies"} ahead`;
}

function part(id: string): HTMLElement {
  return document.getElementById(id)!;
}

const data = JSON.parse(part(DATA_ID).textContent) as PlayerData;
const game = aloneGame(data.game);
if (game === undefined) part("status").textContent = `This page cannot play ${data.game.rules}.`;
else new GameAlone(game, data).begin(0);

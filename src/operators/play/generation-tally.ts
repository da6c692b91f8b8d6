import type { SelfPlayFigures } from "../../events/event.ts";
import { countsOf, DECISION_SUMS, isDraw, meansByGroup } from "./decision-sums.ts";
import type { GameReport } from "./game-task.ts";

/** A game as it is counted: its moves and its result. */
export interface CountedMoves {
  readonly actions: Int32Array;
  readonly returns: ArrayLike<number>;
}

/** Sums up what the decisions of a generation of self-play show, for the event at its end. */
export class GenerationTally {
  readonly #stage: string;
  readonly #size: number;
  #games = 0;
  #draws = 0;
  #sequences = new Set<string>();
  #sums = new Float64Array(DECISION_SUMS);
  /** Whether the sums are of all games of the generation. */
  #whole = true;

  /** `size` is the number of games of a generation. */
  constructor(stage: string, size: number) {
    this.#stage = stage;
    this.#size = size;
  }

  /** Counts a game: the next one of the generation, or the first one of the next. */
  count(game: CountedMoves, { decisionSums }: Pick<GameReport, "decisionSums">): void {
    if (this.#games === this.#size) this.#begin();
    this.#add(game);
    if (decisionSums === undefined) this.#whole = false;
    else for (const [i, sum] of decisionSums.entries()) this.#sums[i]! += sum;
  }

  /** Continues after these games of a generation; `kept` are the sums after them, if an earlier part of the run has kept them. */
  restore(games: readonly CountedMoves[], kept: Float64Array | undefined): void {
    for (const game of games) this.#add(game);
    // An earlier version kept fewer sums.
    const usable = kept?.length === DECISION_SUMS;
    if (usable) this.#sums.set(kept);
    this.#whole = games.length === 0 || usable;
  }

  /** The sums over the decisions of the generation so far; its games are in the records of the run. */
  get sums(): Float64Array {
    return this.#sums;
  }

  /** The figures of the generation, if it is complete; `learned` is the number of games so far. */
  figures(learned: number): SelfPlayFigures | undefined {
    if (this.#games < this.#size || !this.#whole) return undefined;
    const [beginning, middle, end, teacher] = meansByGroup(this.#sums);
    return {
      type: "self-play-figures",
      stage: this.#stage,
      learned,
      unit: "games",
      games: this.#games,
      distinct: this.#sequences.size,
      draws: this.#draws,
      ...countsOf(this.#sums),
      thirds: [beginning!, middle!, end!],
      ...(teacher!.decisions === 0 ? {} : { teacher: teacher! }),
    };
  }

  #begin(): void {
    this.#games = this.#draws = 0;
    this.#sequences.clear();
    this.#sums.fill(0);
    this.#whole = true;
  }

  #add({ actions, returns }: CountedMoves): void {
    this.#games++;
    this.#sequences.add(actions.join(" "));
    if (isDraw(returns)) this.#draws++;
  }
}

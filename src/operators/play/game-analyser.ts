import { encodeGameAnalysis, type AnalysedDecision } from "../../formats/game-analyses.ts";
import type { Game } from "../../games/game.ts";
import type { Search } from "../../search/search.ts";
import { type AnalysisConfig, AnalysedSearch } from "./analysed-search.ts";

/** Records the analysis of the decisions of one game. */
export class GameAnalyser<S> {
  readonly #game: Game<S>;
  readonly #config: AnalysisConfig;
  readonly #analysed = new Map<Search<S>, Search<S>>();
  readonly #decisions: Omit<AnalysedDecision, "ply">[] = [];

  constructor(game: Game<S>, config: AnalysisConfig) {
    this.#game = game;
    this.#config = config;
  }

  /** The given search, analysed; `policy` is whether its net has a policy. */
  analysed(search: Search<S>, policy: boolean): Search<S> {
    let analysed = this.#analysed.get(search);
    if (analysed === undefined) {
      analysed = new AnalysedSearch(search, this.#game, this.#config, policy, (decision) =>
        this.#decisions.push(decision),
      );
      this.#analysed.set(search, analysed);
    }
    return analysed;
  }

  /** The encoded analysis of the game, from its decisions with their plies. */
  analysis(game: number, decisions: readonly { readonly ply: number }[]): Uint8Array<ArrayBuffer> {
    return encodeGameAnalysis({
      game,
      tops: this.#config.tops,
      decisions: decisions.map(({ ply }, i) => ({ ply, ...this.#decisions[i]! })),
    });
  }
}

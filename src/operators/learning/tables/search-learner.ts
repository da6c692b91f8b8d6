import type { Evaluator } from "../../../games/evaluation.ts";
import { CHANCE, type Game } from "../../../games/game.ts";
import type {
  LearnedGame,
  LearnerOptions,
  NamedArrays,
  OpenTables,
  SavedArrays,
  SharedTables,
  TablesLearner,
} from "../../../models/tables.ts";
import type { Random } from "../../../random.ts";
import { driveEpisode } from "../../../search/drive.ts";
import { episode } from "../../../search/episode.ts";
import type { Sample, Search } from "../../../search/search.ts";
import { countDecision, type SharedCounts } from "../../run/shared-counts.ts";
import { type AfterstateTargets, type SearchTargets, targetsOf } from "./search-targets.ts";

/** The parts of a search learner. */
export interface SearchLearnerParts<S> {
  readonly game: Game<S>;
  readonly open: OpenTables;
  readonly tables: SharedTables;
  readonly search: Search<S>;
  readonly targets: SearchTargets;
  readonly step: LearnerOptions["step"];
  /** Number of games that are played and learned greedily before the search plays, and the options for these games. */
  readonly after: number;
  readonly greedy: LearnerOptions;
  /** Counters of the decisions of the search; absent if they are not read. */
  readonly counts?: SharedCounts;
}

/** A value function: its tables, its evaluator, its step, and the learner that holds the weights and the step's state. */
interface Side<S> {
  readonly tables: SharedTables;
  readonly evaluator: Evaluator<S>;
  readonly step: (state: S, target: number) => number;
  readonly memory: TablesLearner;
}

/** Targets beyond this number of points are not learned: the values have diverged and would become infinite. */
const DIVERGED = 1e12;

/**
 * Learns a value function of afterstates from games played by a search with this value function, after some games
 * played greedily: the experiments of Watanabe and Matsuzaki, sections 4 and 5.2, and proposed remedies against
 * diverging values.
 *
 * After the game, each of its afterstates is updated once, from the last to the first, towards a target that
 * `SearchTargets` names. With `samples`, each position that a search of the game sampled is updated in place of them, in
 * the order of sampling.
 */
export class SearchLearner<S> implements TablesLearner {
  readonly #parts: SearchLearnerParts<S>;
  readonly #greedy: TablesLearner;
  /** The value function that is learned and, for some targets, a second one. */
  readonly #sides: readonly Side<S>[];
  readonly #path: S[] = [];
  #games = 0;
  #best = 0;
  #actions: Int32Array = new Int32Array(0);
  #values: Float64Array = new Float64Array(0);

  constructor(parts: SearchLearnerParts<S>) {
    const { open, tables, targets, greedy } = parts;
    this.#parts = parts;
    const two = targets.use === "target-net" || targets.use === "double";
    this.#sides = (two ? [tables, open.load(new Map())] : [tables]).map((side) => ({
      tables: side,
      evaluator: open.evaluator!(side),
      step: open.afterstates!.stepper(side, parts.step),
      memory: open.learner(side, { ...greedy, step: side === tables ? greedy.step : parts.step }),
    }));
    this.#greedy = this.#sides[0]!.memory;
  }

  get actions(): Int32Array {
    return this.#actions;
  }

  get values(): Float64Array {
    return this.#values;
  }

  playGame(random: Random): LearnedGame {
    const { after, targets } = this.#parts;
    const number = this.#games++;
    if (number < after) {
      const learned = this.#greedy.playGame(random);
      this.#actions = this.#greedy.actions;
      this.#values = this.#greedy.values;
      this.#best = Math.max(this.#best, learned.returns[0]!);
      return learned;
    }
    const searched = number - after;
    if (searched === 0 || (targets.use === "target-net" && searched % targets.every === 0)) this.#renew();
    const swapped = targets.use === "double" && random.below(2) === 1;
    const searching = targets.use === "target-net" || (targets.use === "double" && !swapped) ? 1 : 0;
    return this.#learn(random, this.#sides[searching]!.evaluator, this.#sides[swapped ? 1 : 0]!);
  }

  /** Copies the first value function to the second one, if there is one. */
  #renew(): void {
    const second = this.#sides[1];
    if (second !== undefined) this.#parts.open.afterstates!.copy(this.#parts.tables, second.tables);
  }

  #learn(random: Random, evaluator: Evaluator<S>, learner: Side<S>): LearnedGame {
    const { counts, game, search, targets } = this.#parts;
    const options = {
      keep: { samples: targets.use === "samples" },
      ...(counts === undefined ? {} : { decided: () => countDecision(counts) }),
    };
    const played = driveEpisode(episode(game, [{ search, random, evaluator: 0 }], random, options), [
      evaluator,
    ]);
    const score = played.returns[0]!;
    this.#best = Math.max(this.#best, score);
    this.#actions = played.actions;
    this.#values = Float64Array.from(played.decisions, ({ values }) => values[0]!);
    if (targets.use === "samples") learnSamples(learner, played.samples, targets.clip ?? Infinity);
    else this.#learnAfterstates(learner, targets);
    return {
      returns: [score],
      plies: played.actions.length,
      startValue: Math.max(-DIVERGED, Math.min(DIVERGED, this.#values[0]!)),
      facts: played.facts,
    };
  }

  /** Learns the afterstates of the game that is in `#actions`. */
  #learnAfterstates(learner: Side<S>, targets: AfterstateTargets): void {
    const decisions = this.#values.length;
    const rewards = this.#follow(this.#actions, decisions);
    const request = { states: this.#path, count: decisions, values: new Float64Array(decisions) };
    learner.evaluator.evaluate(request);
    const next = targetsOf(targets, {
      rewards,
      nodeValues: this.#values.map((value, decision) => value - rewards[decision]!),
      evalValues: request.values,
      best: this.#best,
    });
    let stepped = 0;
    for (let decision = decisions - 1; decision >= 0; decision--) {
      const target = next(decision, stepped);
      if (isLearnable(target)) stepped = learner.step(this.#path[decision]!, target);
    }
  }

  /** Writes the game's afterstates to `#path`, and returns the rewards of the moves to them. */
  #follow(actions: Int32Array, decisions: number): Float64Array {
    const { game } = this.#parts;
    const state = game.initial();
    const rewards = new Float64Array(decisions);
    const score = new Float64Array(1);
    let decision = 0;
    let before = 0;
    for (const action of actions) {
      const decides = game.toMove(state) !== CHANCE;
      game.play(state, action);
      if (!decides) continue;
      game.returns(state, score);
      rewards[decision] = score[0]! - before;
      before = score[0]!;
      game.copy(state, (this.#path[decision] ??= game.initial()));
      decision++;
    }
    return rewards;
  }

  state(): SavedArrays {
    const saved: SavedArrays = new Map();
    for (const [name, array] of this.#greedy.state()) saved.set(`greedy.${name}`, array);
    const second = this.#sides[1];
    if (second !== undefined) {
      for (const [name, array] of this.#parts.open.save(second.tables)) saved.set(`second.${name}`, array);
      for (const [name, array] of second.memory.state()) saved.set(`memory.${name}`, array);
    }
    saved.set("games", { shape: [2], data: Float64Array.of(this.#games, this.#best) });
    return saved;
  }

  restore(saved: NamedArrays): void {
    if (saved.size === 0) return;
    const part = (name: string) =>
      new Map(
        [...saved].flatMap(([key, array]) =>
          key.startsWith(`${name}.`) ? [[key.slice(name.length + 1), array] as const] : [],
        ),
      );
    const games = saved.get("games");
    if (games === undefined || games.length !== 2)
      throw new RangeError("expected the array games of 2 numbers");
    this.#games = games[0]!;
    this.#best = games[1]!;
    this.#greedy.restore(part("greedy"));
    const second = this.#sides[1];
    if (second === undefined) return;
    this.#parts.open.afterstates!.copy(this.#parts.open.load(part("second")), second.tables);
    second.memory.restore(part("memory"));
  }
}

/** Moves each sampled position towards its value in the tree, which counts as at most `clip` away from its value now. */
function learnSamples<S>({ evaluator, step }: Side<S>, samples: readonly Sample<S>[], clip: number): void {
  const request = { states: [] as S[], count: 1, values: new Float64Array(1) };
  for (const { state, values } of samples) {
    request.states[0] = state;
    evaluator.evaluate(request);
    const value = request.values[0]!;
    const target = Math.max(value - clip, Math.min(value + clip, values[0]!));
    if (isLearnable(target)) step(state, target);
  }
}

/** NaN is not a target either. */
function isLearnable(target: number): boolean {
  return Math.abs(target) <= DIVERGED;
}

import { Type, type Static } from "../../schema.ts";
import type { Random } from "../../random.ts";
import { noNets, type SearchDefinition } from "../definition.ts";
import { drawDirichlet } from "./dirichlet.ts";
import { ForcedPlayouts } from "./forced-playouts.ts";
import { indexOf } from "./index-of.ts";
import { byVisits, type MoveChoice, mostVisited, moveTemperature } from "../choice/move-choice.ts";
import { unsuitedPassLast } from "../choice/pass-last.ts";
import { unsuitedResignation } from "../choice/resignation.ts";
import { narrowSearch } from "./narrow-search.ts";
import { searchPlans } from "./playout-cap.ts";
import { policySearchAlone, policySearchOptions } from "./policy-options.ts";
import { type SelectionRule, policySearch, type RootView, type SearchedRoot } from "./policy-search.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { PolicyTree } from "./policy-tree.ts";
import { type FirstPlay, PuctSelection } from "./puct-selection.ts";

const noise = Type.Object(
  {
    epsilon: Type.Number({
      minimum: 0,
      maximum: 1,
      description: "Share of the noise in the priors of the root.",
    }),
    alpha: Type.Number({
      exclusiveMinimum: 0,
      maximum: 1000,
      description: "Concentration of the Dirichlet distribution.",
    }),
  },
  { additionalProperties: false },
);

const firstPlayValue = Type.Number({ minimum: -1e12, maximum: 1e12 });
const firstPlayReduction = Type.Number({ minimum: 0, maximum: 1e12 });

const options = Type.Object(
  {
    ...policySearchOptions(800),
    cBase: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 1e12,
        default: 19625,
        description: "c_base: the number of visits from which exploration grows markedly.",
      }),
    ),
    cInit: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e12,
        default: 1.25,
        description: "c_init: the initial exploration, in units of the returns.",
      }),
    ),
    noise: Type.Optional(
      Type.Union([noise, Type.Null()], {
        default: null,
        description: "Dirichlet noise in the priors of the root, for self-play; null for none.",
      }),
    ),
    temperature: Type.Optional({
      ...moveTemperature,
      default: [],
      description:
        "Temperature of the played move, by phases of the game. Empty: always the most visited move.",
    }),
    firstPlay: Type.Optional(
      Type.Union([firstPlayValue, Type.Null()], {
        default: null,
        description:
          "First-play urgency: the value of an untried move, in units of the returns. null: 0, as in AlphaZero, or as firstPlayReduction says.",
      }),
    ),
    firstPlayReduction: Type.Optional(
      Type.Union([firstPlayReduction, Type.Null()], {
        default: null,
        description:
          "c_FPU (Wu 2019, section 2), in units of the returns: by how much the value of an untried move lies below that of its position. At a root with noise it counts as 0. null: the value of an untried move is firstPlay.",
      }),
    ),
    rootFirstPlay: Type.Optional(
      Type.Union([firstPlayValue, Type.Null()], {
        default: null,
        description: "firstPlay of the root. null: as in the rest of the tree.",
      }),
    ),
    rootFirstPlayReduction: Type.Optional(
      Type.Union([firstPlayReduction, Type.Null()], {
        default: null,
        description:
          "firstPlayReduction of the root, also of one with noise. null: as in the rest of the tree.",
      }),
    ),
    forcedPlayouts: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1e6 }), Type.Null()], {
        default: null,
        description:
          "k of forced playouts and policy target pruning (Wu 2019, section 3.2, where it is 2), for self-play; null for none.",
      }),
    ),
  },
  { additionalProperties: false },
);

/**
 * Mixes Dirichlet noise into the priors of the root: (1 - epsilon) P + epsilon Dir(alpha). Draws follow the order of
 * actions.
 */
function mixNoise(
  policy: PolicyTree,
  { actions }: RootView,
  { epsilon, alpha }: Static<typeof noise>,
  random: Random,
): void {
  const draws = new Float64Array(actions.length);
  drawDirichlet(alpha, random, draws);
  const { tree, prior } = policy;
  const first = tree.firstEdge[ROOT]!;
  for (let edge = first; edge < first + actions.length; edge++)
    prior.data[edge] =
      (1 - epsilon) * prior.data[edge]! + epsilon * draws[indexOf(actions, tree.key[edge]!)]!;
  policy.placeNext(ROOT);
}

type RuleOptions = Pick<
  Required<Static<typeof options>>,
  | "cBase"
  | "cInit"
  | "firstPlay"
  | "firstPlayReduction"
  | "rootFirstPlay"
  | "rootFirstPlayReduction"
  | "noise"
  | "temperature"
  | "forcedPlayouts"
>;

/** First-play urgency as options give it; undefined if they do not. */
const firstPlayOf = (value: number | null, reduction: number | null): FirstPlay | undefined =>
  value === null && reduction === null ? undefined : { value: value ?? 0, reduction };

/** PUCT at every node, noise and forced playouts at the root of a full search, the move by the (pruned) visits. */
class PuctRule implements SelectionRule {
  readonly #selection: PuctSelection;
  readonly #noise: Static<typeof noise> | null;
  readonly #rootFirstPlay: FirstPlay;
  readonly #noisyFirstPlay: FirstPlay;
  readonly #choice: MoveChoice;
  readonly #forced: ForcedPlayouts | undefined;
  #noisy = false;
  #forcing = false;
  /** Beside each action: its visits after pruning. */
  #pruned = new Float64Array(0);

  constructor({ noise: rootNoise, temperature, forcedPlayouts, ...puct }: RuleOptions) {
    const tree = firstPlayOf(puct.firstPlay, puct.firstPlayReduction) ?? { value: 0, reduction: null };
    const root = firstPlayOf(puct.rootFirstPlay, puct.rootFirstPlayReduction);
    this.#selection = new PuctSelection({ ...puct, firstPlay: tree });
    this.#rootFirstPlay = root ?? tree;
    this.#noisyFirstPlay = root ?? (tree.reduction === null ? tree : { ...tree, reduction: 0 });
    this.#noise = rootNoise;
    this.#choice = byVisits(temperature);
    this.#forced = forcedPlayouts === null ? undefined : new ForcedPlayouts(forcedPlayouts, this.#selection);
  }

  begin(policy: PolicyTree, root: RootView, random: Random): void {
    this.#noisy = this.#noise !== null && root.plan.full;
    this.#forcing = this.#forced !== undefined && root.plan.full;
    if (this.#noisy) mixNoise(policy, root, this.#noise!, random);
  }

  selectAtRoot(policy: PolicyTree): number {
    const due = this.#forcing ? this.#forced!.due(policy) : NONE;
    if (due !== NONE) return due;
    return this.#selection.select(policy, ROOT, this.#noisy ? this.#noisyFirstPlay : this.#rootFirstPlay);
  }

  select(policy: PolicyTree, node: number): number {
    return this.#selection.select(policy, node);
  }

  choose(policy: PolicyTree, root: SearchedRoot, random: Random): number {
    const { visits, actionValues, decisions } = root;
    if (!this.#forcing) return this.#choice(visits, actionValues, random, decisions);
    this.#prune(policy, root);
    return this.#choice(this.#pruned, actionValues, random, decisions);
  }

  policy(): Float64Array | undefined {
    return this.#forcing ? this.#pruned : undefined;
  }

  #prune(policy: PolicyTree, { actions, visits, actionValues }: SearchedRoot): void {
    const { tree } = policy;
    const best = tree.edgeOf(ROOT, actions[mostVisited(visits, actionValues)]!);
    this.#pruned = new Float64Array(actions.length);
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + tree.tried[ROOT]!; edge++) {
      const index = indexOf(actions, tree.key[edge]!);
      if (visits[index]! > 0) this.#pruned[index] = this.#forced!.pruned(policy, edge, best);
    }
  }
}

/**
 * AlphaZero's tree search for any number of players: PUCT selection by the mover's component of the value vector, the
 * net's values and priors at the leaf, mean backup, and the move by visits.
 *
 * Source: Silver et al. 2018 (AlphaZero), equations of the supplementary pseudocode. Several players as in BlokusZero
 * (section 4.2): each edge keeps a mean per seat, and nothing is rescaled. Values are compared with priors in units of
 * the returns, so the search suits games whose returns differ by about one. Three additions from D. Wu, *Accelerating
 * self-play learning in Go* (2019), are off by default: playout-cap randomisation (section 3.1), forced playouts with
 * policy target pruning (3.2), first-play reduction (2).
 */
export const puctMaxN: SearchDefinition<typeof options> = {
  name: "puct-max-n",
  description: "AlphaZero's search: PUCT with the net's values and priors, for any number of players.",
  options,
  needs: { value: true, policy: true },
  best: "visits",
  alone: policySearchAlone,
  unsuited: (
    game,
    {
      firstPlay,
      firstPlayReduction: reduction,
      rootFirstPlay,
      rootFirstPlayReduction,
      passLast,
      resign,
      solver,
    },
  ) =>
    (firstPlay !== null && reduction !== null) || (rootFirstPlay !== null && rootFirstPlayReduction !== null)
      ? "the value of an untried move is given twice: set firstPlay or firstPlayReduction, not both, and so for the root"
      : (unsuitedPassLast(game, passLast, solver) ?? unsuitedResignation(game, resign)),
  warning: (game, options) =>
    narrowSearch(
      game,
      options.simulations,
      puctMaxN.create(game, { ...options, playoutCap: null, playouts: null, reuse: false }, noNets),
    ),
  create: (game, { simulations, playoutCap, ...own }) =>
    policySearch(game, {
      ...own,
      plan: searchPlans(simulations, playoutCap),
      rule: new PuctRule(own),
    }),
};

import type { Game } from "../../games/game.ts";
import type { Random } from "../../random.ts";
import { Type } from "../../schema.ts";
import { DecisionBuffer, type DecisionRows } from "../choice/decision-buffer.ts";
import { byVisits, type MoveChoice, moveTemperature } from "../choice/move-choice.ts";
import type { SearchDefinition } from "../definition.ts";
import {
  epsilonOption,
  expansionOption,
  millisecondsOption,
  reuseOption,
  simulationsOption,
} from "../playouts/playout-options.ts";
import { PlayoutPolicy } from "../playouts/playout-policy.ts";
import { PassLast, passLastOption, unsuitedPassLast } from "../choice/pass-last.ts";
import { Resignation, resignOption, unsuitedResignation } from "../choice/resignation.ts";
import type { Decision, PolicyChange } from "../search.ts";
import { KeptTree } from "../tree/kept-tree.ts";
import { NONE, ROOT } from "../tree/nodes.ts";
import type { Choice } from "../tree/parts.ts";
import { addReturns, meanOf } from "../tree/sums.ts";
import { TreeSearch } from "../tree/tree-search.ts";
import { Walk } from "../tree/walk.ts";
import { ApvBackup, ApvLeaf, ApvSelection } from "./apv-parts.ts";
import { indexOf } from "./index-of.ts";
import { MOST_IN_FLIGHT, solverOption } from "./policy-options.ts";
import { narrowSearch } from "./narrow-search.ts";
import { policyChange } from "./policy-change.ts";
import { PolicyMoves } from "./policy-parts.ts";
import { PolicyTree } from "./policy-tree.ts";
import { priorTemperatureOption } from "./prior-temperature.ts";
import { WinInOne } from "./win-in-one.ts";

const options = Type.Object(
  {
    simulations: simulationsOption(1600, "Simulations of a decision. The one that opens the root is extra."),
    milliseconds: millisecondsOption,
    lambda: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
        default: null,
        description:
          "Weight of the return of a rollout in the value of a leaf; the net's value has the rest. 0: no rollouts; 1: no net is asked for values. null: .5, or 1 if no net gives values.",
      }),
    ),
    cPuct: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 1e6,
        default: 5,
        description: "c_puct, where returns are counted from -1 for the least to 1 for the greatest.",
      }),
    ),
    expansion: expansionOption(
      40,
      "Visits of a leaf, the last of which expands it and asks for its priors. The root is expanded at once.",
    ),
    priorTemperature: priorTemperatureOption(1.5),
    batch: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MOST_IN_FLIGHT,
        default: 8,
        description:
          "Maximum number of leaves in flight, whose evaluations share a request; 1: one after another.",
      }),
    ),
    virtualLoss: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1000,
        default: 3,
        description:
          "Lost visits that a leaf in flight adds to every move on its path until it is evaluated.",
      }),
    ),
    epsilon: epsilonOption(
      0,
      "Probability that the move of a rollout is drawn from all legal moves. Otherwise playoutNet draws it, or it is one that the game prefers.",
    ),
    temperature: Type.Optional({
      ...moveTemperature,
      default: [],
      description:
        "Temperature of the played move, by phases of the game. Empty: always the most visited move.",
    }),
    reuse: Type.Optional({ ...reuseOption, default: true }),
    solver: solverOption,
    passLast: passLastOption,
    resign: resignOption,
  },
  { additionalProperties: false },
);

/**
 * AlphaGo's search (asynchronous policy and value MCTS), for any number of players. A node is expanded after several visits,
 * and a leaf is valued by a net, by a rollout, or by both. Several leaves are in flight, kept apart by virtual losses; all of
 * them are backed up before the next ones are selected, so a decision is a function of the position and the draws.
 *
 * Source: Silver et al. 2016, Methods, Search algorithm, without its threads: the source backs up rollouts and values when
 * they come.
 */
export const apvMcts: SearchDefinition<typeof options> = {
  name: "apv-mcts",
  description: "AlphaGo's search: PUCT with a policy net, leaves valued by a value net and by rollouts.",
  options,
  needs: {
    value: false,
    policy: false,
    several: {
      net: "that gives priors, and values at leaves if no valueNet is named; without it playoutNet gives priors, or all priors of a position are equal",
      valueNet: "that gives values at leaves",
      playoutNet: "whose policy draws the moves of rollouts, and gives priors if no net does",
    },
  },
  best: "visits",
  unsuited(game, { lambda, passLast, resign, solver }, { values }) {
    const {
      name,
      returnBounds: [least, most],
    } = game;
    if (!Number.isFinite(most - least))
      return `returns of ${name} have no bounds, between which values are measured`;
    return lambda !== null && lambda < 1 && values === undefined
      ? `with lambda: ${lambda} a net values leaves: name a valueNet, or a net with values, or give lambda: 1`
      : (unsuitedPassLast(game, passLast, solver) ?? unsuitedResignation(game, resign));
  },
  warning: (game, options) =>
    options.milliseconds > 0
      ? undefined
      : narrowSearch(
          game,
          options.simulations,
          apvMcts.create(game, { ...options, lambda: 0, reuse: false }, { priors: true, values: "net" }),
        ),
  create(game, { batch, cPuct, epsilon, milliseconds, virtualLoss, ...own }, nets, threadSeconds) {
    const policy = new PolicyTree(game.players, {
      lost: virtualLoss,
      ...(own.solver ? { bounds: game.returnBounds } : {}),
    });
    const { losses, tree, proven } = policy;
    const selection = new ApvSelection(game, policy, losses!, cPuct);
    const choice = new ApvChoice(game, policy, own);
    return new TreeSearch(game, {
      walks: Array.from({ length: batch }, (_, index) => new Walk(game, tree, index)),
      losses,
      moves: new PolicyMoves(game, policy),
      selection: {
        select: (walk, node) => {
          const win = node === ROOT ? choice.winningEdge() : NONE;
          return win === NONE ? selection.select(walk, node) : win;
        },
      },
      leaf: new ApvLeaf(game, policy, {
        nets,
        expansion: own.expansion,
        priorTemperature: own.priorTemperature,
        lambda: own.lambda ?? (nets.values === undefined ? 1 : 0.5),
        rollouts: new PlayoutPolicy(game, epsilon),
        batch,
      }),
      backup: proven === undefined ? { update: addReturns } : new ApvBackup(proven),
      choice,
      opening: true,
      milliseconds,
      threadSeconds,
      resignation: Resignation.of(own.resign),
      openEnded: true,
    });
  },
};

/** The most visited move, or one drawn by its visits. The values of nodes are sums of the returns of whole games. */
class ApvChoice<S> implements Choice<S> {
  readonly #game: Game<S>;
  readonly #policy: PolicyTree;
  readonly #simulations: number;
  readonly #choose: MoveChoice;
  readonly #kept: KeptTree;
  readonly #passLast: PassLast<S> | undefined;
  readonly #buffer: DecisionBuffer<S>;
  readonly #soFar: Float64Array;
  readonly #winInOne: WinInOne<S> | undefined;
  /** Of the last decision: the legal actions, and beside each its visits and its weight in the policy target. */
  #target: (Pick<DecisionRows, "actions" | "visits"> & { readonly weights: Float64Array }) | undefined;

  constructor(
    game: Game<S>,
    policy: PolicyTree,
    {
      simulations,
      temperature,
      reuse,
      passLast,
      solver,
    }: {
      readonly simulations: number;
      readonly temperature: Parameters<typeof byVisits>[0];
      readonly reuse: boolean;
      readonly passLast: boolean;
      readonly solver: boolean;
    },
  ) {
    this.#game = game;
    this.#policy = policy;
    this.#simulations = simulations;
    this.#choose = byVisits(temperature);
    this.#kept = new KeptTree(policy.tree, reuse);
    this.#passLast = PassLast.of(game, passLast);
    this.#buffer = new DecisionBuffer(game);
    this.#soFar = new Float64Array(game.players);
    this.#winInOne = solver ? new WinInOne(game, policy.tree) : undefined;
  }

  begin(): void {
    this.#kept.forget();
  }

  observe(_state: S, action: number): void {
    this.#kept.follow(action);
  }

  start(state: S): number {
    const { tree } = this.#policy;
    const mover = this.#game.toMove(state);
    this.#kept.plant(mover);
    // A position that was a leaf of the last tree is opened as a new root: its visits say nothing about its moves.
    if (tree.firstEdge[ROOT] === NONE && tree.visits[ROOT]! > 0) {
      tree.clear();
      tree.addNode(mover);
    }
    return this.#simulations;
  }

  opened(state: S): void {
    this.#winInOne?.look(state);
  }

  /** The edge of the root that wins at once, or NONE if none is known. */
  winningEdge(): number {
    return this.#winInOne?.edge() ?? NONE;
  }

  settled(): boolean {
    return this.#policy.proven?.proofs.has(ROOT) === true;
  }

  decide(state: S, random: Random, decisions: number): Decision<S> {
    const { tree, proven } = this.#policy;
    const rows = this.#buffer.open(state);
    const { actions, visits, actionValues } = rows;
    const soFar = this.#soFar;
    this.#game.returns(state, soFar);
    const mover = tree.toMove[ROOT]!;
    const first = tree.firstEdge[ROOT]!;
    for (let edge = first; edge < first + tree.tried[ROOT]!; edge++) {
      const index = indexOf(actions, tree.key[edge]!);
      const child = tree.child[edge]!;
      visits[index] = tree.visits[child]!;
      actionValues[index] = meanOf(tree, child, mover) - soFar[mover]!;
    }
    const open = proven === undefined ? visits : visits.slice();
    const leftOut = proven?.keepGood(actions, open) === true;
    const chosen = this.#choose(open, actionValues, random, decisions);
    const index = this.#passLast?.choose(state, chosen, rows) ?? chosen;
    const child = tree.child[tree.edgeOf(ROOT, actions[index]!)]!;
    const values = Array.from(soFar, (before, seat) => meanOf(tree, child, seat) - before);
    const decision = this.#buffer.close(rows, index, values);
    this.#target = { actions, visits, weights: open };
    return leftOut ? { ...decision, policy: open } : decision;
  }

  policyChange(): PolicyChange {
    return policyChange(this.#policy, this.#target!, this.#target!.weights);
  }
}

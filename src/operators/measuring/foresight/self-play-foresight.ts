import { diagnosisThresholds } from "../../../messages/diagnosis-thresholds.ts";
import { looksAtOneMove } from "../../../search/policy/narrow-search.ts";
import { findSearch } from "../../../search/registry.ts";
import { isOtherProgram, kindsOf } from "../../experiment/agent-kinds.ts";
import { type AgentConfig, gameOf, networkOf } from "../../experiment/open-experiment.ts";
import type { Foreseen, StageView } from "../../operator.ts";
import type { SelfPlaySettings } from "../../learning/self-play/self-play-settings.ts";
import { DrawnEvaluator } from "./drawn-evaluator.ts";
import { MOST_WHOLE, type SearchTrial, searchTrial, thirdsOf } from "./search-trial.ts";
import { type TrialPosition, trialPositions } from "./trial-positions.ts";

/** Processor seconds for the decisions of the learner, and for those of the teacher. */
const LEARNER_SECONDS = 0.6;
const TEACHER_SECONDS = 0.6;

/** Fewer tried moves are flat by chance: a teacher may find all of a few moves equal. */
const FEWEST_TRIED = 8;

/**
 * What shows before the run that AlphaZero-style self-play will not learn: the agent's own search decides at positions of random
 * play, with an evaluator in place of an untrained net. Positions and values are fixed, so the answer is a function of the file,
 * but for searches so slow that their simulations have to be cut.
 */
export function selfPlayForesight(settings: SelfPlaySettings, view: StageView): Foreseen[] {
  const { opened } = view;
  const agent = opened.experiment.agents[settings.agent]!;
  const net = agent.net === undefined ? undefined : opened.nets.get(agent.net);
  const game = gameOf(opened, agent);
  if (settings.examples.use !== "alphazero" || net?.kind !== "network" || !net.hasPolicy) return [];
  if (isOtherProgram(agent) || !game.returnBounds.every(Number.isFinite)) return [];
  const positions = trialPositions(game);
  const evaluator = new DrawnEvaluator(game, networkOf(opened, agent.net!).planes);
  const trial = searchTrial(opened, agent, { positions, evaluator, seconds: LEARNER_SECONDS, whole: false });
  return [
    ...(trial === undefined
      ? [
          {
            key: "agent",
            note: `decisions of "${settings.agent}" were not tried: they take too long`,
          },
        ]
      : [...oneMove(agent, settings.agent, trial), ...emptyTargets(settings.agent, trial)]),
    ...noisyTeacher(settings, view, positions, evaluator),
  ];
}

/** How a trial was made, in words. */
function made(
  agent: string,
  { game, simulations, fewer }: SearchTrial,
  third: string,
  legal: number,
): string {
  const cut = fewer ? ", fewer than in the run," : "";
  const of = simulations === undefined ? "" : ` of ${simulations} simulations${cut}`;
  return `at positions of random play in the ${third} third of ${game.name} (${Math.round(legal)} legal moves), with an untrained net, decisions of "${agent}"${of}`;
}

function oneMove(config: AgentConfig, agent: string, trial: SearchTrial): Foreseen[] {
  // A search with its own warning gives it for every agent.
  if (findSearch(config.use, kindsOf(config)).warning !== undefined) return [];
  const found = thirdsOf(trial.decisions).find(({ top, tried }) => looksAtOneMove(top, tried));
  if (found === undefined) return [];
  const says = `${made(agent, trial, found.third, found.legal)} look at hardly more than one move, which gets ${percent(found.top)} of the visits`;
  return [
    {
      key: "agent",
      name: "one-move-search",
      says,
      cure: "Give the agent more simulations, or let it consider more moves",
    },
  ];
}

function emptyTargets(agent: string, trial: SearchTrial): Foreseen[] {
  const found = thirdsOf(trial.decisions).find(
    ({ distance }) => distance < diagnosisThresholds.targetDistance,
  );
  if (found === undefined) return [];
  const says = `${made(agent, trial, found.third, found.legal)} give policy targets that differ from the priors by ${found.distance.toFixed(3)} (total variation; ${percent(found.tried)} of the moves are tried), so the policy has next to nothing to learn`;
  return [
    {
      key: "agent",
      name: "empty-targets",
      says,
      cure: "With gumbel, set target: tried, a greater cScale, or more considered moves; with other searches, give more simulations",
    },
  ];
}

function noisyTeacher(
  { warmStart }: SelfPlaySettings,
  { opened }: StageView,
  positions: readonly TrialPosition[],
  evaluator: DrawnEvaluator,
): Foreseen[] {
  if (warmStart === undefined) return [];
  const teacher = opened.experiment.agents[warmStart.agent]!;
  const early = positions.filter(({ third }) => third === 0);
  const trial = isOtherProgram(teacher)
    ? undefined
    : searchTrial(opened, teacher, { positions: early, evaluator, seconds: TEACHER_SECONDS, whole: true });
  if (trial === undefined)
    return [
      {
        key: "warmStart",
        note: `decisions of the teacher "${warmStart.agent}" were not tried: only searches of at most ${MOST_WHOLE} simulations are`,
      },
    ];
  const [found] = thirdsOf(trial.decisions);
  if (found === undefined || Math.exp(found.visited) < FEWEST_TRIED) return [];
  if (found.entropy <= diagnosisThresholds.visitEntropy * found.visited) return [];
  const says = `at positions of random play in the first third of ${trial.game.name} (${Math.round(found.legal)} legal moves), the policy targets of the teacher "${warmStart.agent}" are flat: their entropy is ${found.entropy.toFixed(2)} nats, that of equal shares of the moves tried ${found.visited.toFixed(2)}, so the net learns noise`;
  return [
    {
      key: "warmStart",
      name: "noisy-teacher",
      says,
      cure: "Give the teacher a learnTemperature (mcts-max-n), more simulations, or knowledge of the game such as RAVE or progressive history",
    },
  ];
}

const percent = (share: number): string => `${Math.round(100 * share)}%`;

import { Type } from "../schema.ts";
import { abilitiesOf } from "./experiment/agent-net.ts";
import { MOST_GAMES } from "./experiment/most-games.ts";
import { operator, type SettingsOf } from "./operator.ts";
import { complainUnknown } from "./run/complaint.ts";
import { learnAgain } from "./learning/tables/learn-again.ts";
import { learnOnLine } from "./learning/tables/on-line-learner.ts";
import type { LearnerSettings } from "./learning/tables/td-learner-settings.ts";

const settings = {
  net: Type.String({ description: "The policy for playouts that it learns (a name under nets)." }),
  games: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description: "Games of the whole run. All games of the same deal count as one.",
  }),
  every: Type.Integer({
    minimum: 1,
    maximum: MOST_GAMES,
    description: "Games from one version of the weights to the next.",
  }),
  replays: Type.Integer({
    minimum: 2,
    maximum: 1000,
    default: 8,
    description:
      "How often each deal is played. The return of a seat is compared with its returns in the other games of the deal.",
  }),
  payoff: Type.Union([Type.Literal("score"), Type.Literal("share")], {
    default: "score",
    description:
      "What a game pays a seat. score: its return. share: its share of a win, where seats with the greatest return divide the 1.",
  }),
  rate: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1000,
    default: 0.3,
    description:
      "Length of the first step of a weight. Later steps become shorter with the sum of its squared gradients (AdaGrad).",
  }),
  record: Type.Integer({
    minimum: 0,
    maximum: MOST_GAMES,
    default: 1000,
    description: "One game in this many is recorded; 0 records none.",
  }),
};

/** The settings of a policy-gradient stage. */
type PolicyGradientSettings = SettingsOf<typeof settings>;

/** Learns a policy for playouts from the returns of games that it plays against itself. */
export const policyGradient = operator({
  use: "policy-gradient",
  description:
    "Learns a policy for playouts by policy gradients, from the returns of games that it plays against itself.",
  example: "learn: { use: policy-gradient, net: playouts, games: 100000, every: 10000 }",
  settings,
  inputs: {},
  output: "weights",
  learns: "net",
  check: ({ net }: PolicyGradientSettings, { opened }) => {
    const open = opened.nets.get(net);
    return [
      ...complainUnknown("net", "net", net, opened.experiment.nets),
      ...(open === undefined || abilitiesOf(open).guides
        ? []
        : [{ key: "net", message: `"${net}" is not a policy for playouts, such as linear-policy` }]),
    ];
  },
  bounds: ({ every }: PolicyGradientSettings) => [
    `1 thread, stops after every ${every} games until all readers are done`,
  ],
  playsItself: true,
  work: ({ games }: PolicyGradientSettings) => ({
    unit: "games",
    total: games,
    purpose: "learn",
    threads: 1,
  }),
  offers: ({ net, games, every }: PolicyGradientSettings) => ({
    net,
    filling: 0,
    trainings: Math.ceil(games / every),
  }),
  replay: (given: PolicyGradientSettings, game) => learnAgain(asLearner(given), game),
  build: (given: PolicyGradientSettings, _inputs, env) => learnOnLine(asLearner(given), undefined, env),
});

/** Monitor settings, without effect: the monitor is for one-player games. */
const unused = { low: 0.1, high: 1.5, warmUp: 1000, window: 200 };

/** The settings in the form that all stages share that learn on line. */
function asLearner(given: PolicyGradientSettings): LearnerSettings {
  const { net, games, every, replays, payoff, rate, record } = given;
  return {
    net,
    games,
    every,
    replays,
    payoff,
    rate,
    record,
    lambda: 1,
    step: "td",
    threads: 1,
    monitor: unused,
  };
}

import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Random } from "../random.ts";
import { operator, type StageEnv, type StageView } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { layoutOf } from "./play/examples/examples.ts";
import type { GameCollection, PlayedGame } from "./run/items.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import type { RunError } from "./run/run-error.ts";
import { positionsOfCollection, positionsOfExamples } from "./learning/value/tested-positions.ts";
import { type TestedPart, ValueErrorMeasure } from "./learning/value/value-error-measure.ts";
import { type ValueErrorSettings, valueErrorSettings } from "./learning/value/value-error-settings.ts";

/** Measures how far values of positions are from the results of their games. */
export const valueError = operator({
  use: "value-error",
  description:
    "Measures the mean squared error of value nets on positions whose results are known, in total and by ply, and that of rollouts by agents.",
  example:
    "error: { use: value-error, games: games, nets: [value], rollouts: [{ agent: opener, count: 10 }] }",
  settings: valueErrorSettings,
  inputs: {
    games: {
      kind: "games",
      description: "The stage that plays games for value nets and holds some of them out",
      optional: true,
    },
    collection: {
      kind: "collection",
      description: "The stage that reads recorded games, in place of `games`",
      optional: true,
    },
  },
  output: "results",
  resultEvent: "value-errors",
  check: (settings: ValueErrorSettings, view) => [
    ...inputComplaints(settings, view),
    ...netComplaints(settings, view),
    ...rolloutComplaints(settings, view),
  ],
  bounds: ({ inFlight, test }: ValueErrorSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} rollouts under way`,
    `at most ${2 * test} games in memory`,
  ],
  agents: ({ rollouts }: ValueErrorSettings) => rollouts.map(({ agent }) => agent),
  work: ({ positions, rollouts, test }: ValueErrorSettings, { inputs }) => {
    const perPosition = rollouts.reduce((sum, { count }) => sum + count, 0);
    if (perPosition === 0) return undefined;
    return {
      unit: "games",
      total: perPosition * test * (inputs["collection"] === undefined ? 1 : positions),
      purpose: "measure",
      deciders: Object.fromEntries(rollouts.map(({ agent, count }) => [agent, count / perPosition])),
    };
  },
  build: (settings: ValueErrorSettings, { collection, games }, env) =>
    Effect.sync(() => {
      const measure = new ValueErrorMeasure(settings, env);
      env.activity.waits("positions whose results are known");
      const read =
        games === undefined ? ofCollection(collection!, settings, env) : ofGames(games, settings, env);
      return Stream.fromEffect(read).pipe(
        // The stage before has been asked to stop.
        Stream.filter((parts) => parts !== undefined),
        Stream.tap(() => {
          env.activity.waits("the last weights of all its nets");
          return env.clock.waiting(measure.nets, env.board.settled(measure.nets));
        }),
        Stream.mapEffect((parts) => measure.measure(parts)),
        Stream.interruptWhen(env.stop.wait),
      );
    }),
});

/** Positions of games that nets learned from, the newest, and of games held out, the first; undefined if some are missing. */
const ofGames = (
  games: Stream.Stream<PlayedGame, RunError>,
  { test }: ValueErrorSettings,
  { opened }: StageEnv,
): Effect.Effect<readonly TestedPart[] | undefined, RunError> =>
  Effect.suspend(() => {
    const learned: PlayedGame[] = [];
    const heldOut: PlayedGame[] = [];
    let complete = false;
    const take = (game: PlayedGame) => {
      complete = game.last;
      if (game.heldOut !== true) {
        learned.push(game);
        if (learned.length > test) learned.shift();
      } else if (heldOut.length < test) heldOut.push(game);
    };
    return Effect.map(
      Stream.runForEach(games, (game) => Effect.sync(() => take(game))),
      () =>
        complete
          ? [
              { part: "training", positions: positionsOfExamples(opened.game, learned) },
              { part: "test", positions: positionsOfExamples(opened.game, heldOut) },
            ]
          : undefined,
    );
  });

/** Positions of a part of a collection; undefined if there is none. */
const ofCollection = (
  collection: Stream.Stream<GameCollection, RunError>,
  settings: ValueErrorSettings,
  { emit, opened, stage }: StageEnv,
): Effect.Effect<readonly TestedPart[] | undefined, RunError> =>
  Effect.map(Stream.runCollect(collection), ([games]) => {
    if (games === undefined) return undefined;
    const random = Random.named(opened.experiment.seed, stage, "positions");
    const { leftOut, positions } = positionsOfCollection(opened.game, games, settings, random);
    if (leftOut > 0)
      emit({
        type: "note",
        level: "info",
        stage,
        message: `${leftOut} games are left out: their results are not known`,
      });
    return [{ part: settings.part, positions }];
  });

function inputComplaints(
  { values }: ValueErrorSettings,
  { inputs, offered, opened }: StageView,
): Complaint[] {
  const { game } = opened;
  if ((inputs["games"] === undefined) === (inputs["collection"] === undefined))
    return [{ message: "give either games or a collection, whose positions are valued" }];
  const complaints: Complaint[] = [];
  if (game.chance !== undefined)
    complaints.push({ message: `${game.name} has moves of chance, and rollouts cannot begin at a position` });
  const offer = offered("games", "games");
  if (offer === undefined) return complaints;
  if (layoutOf(offer.examples) !== "games" || (offer.heldOut ?? 0) === 0)
    complaints.push({ key: "games", message: "none of these games are held out for a test" });
  if (offer.values !== undefined && offer.values !== values)
    complaints.push({
      key: "values",
      message: `the examples of these games have ${offer.values}, and errors are measured of ${values}`,
    });
  return complaints;
}

function netComplaints({ nets, rollouts, values }: ValueErrorSettings, { opened }: StageView): Complaint[] {
  if (nets.length === 0 && rollouts.length === 0)
    return [{ key: "nets", message: "nothing is measured: name nets, or agents for rollouts" }];
  return nets.flatMap((name, i): Complaint[] => {
    const key = `nets/${i}`;
    const net = opened.nets.get(name);
    if (net === undefined) return complainUnknown(key, "net", name, opened.experiment.nets);
    if (net.kind !== "network" || !net.hasValue)
      return [{ key, message: `"${name}" has no value head to measure` }];
    return net.values === values
      ? []
      : [{ key, message: `"${name}" predicts ${net.values}, and errors are measured of ${values}` }];
  });
}

function rolloutComplaints({ rollouts }: ValueErrorSettings, { opened }: StageView): Complaint[] {
  const { agents } = opened.experiment;
  const named = rollouts.map(({ agent }) => agent);
  return [
    ...named.flatMap((agent, i) => complainUnknown(`rollouts/${i}/agent`, "agent", agent, agents)),
    ...(new Set(named).size < named.length ? [{ key: "rollouts", message: "an agent is named twice" }] : []),
  ];
}

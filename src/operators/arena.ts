import * as Effect from "effect/Effect";
import { ArenaMatch } from "./match/arena-match.ts";
import { ArenaSchedule } from "./match/arena-schedule.ts";
import { type ArenaSettings, arenaSettings } from "./match/arena-settings.ts";
import { type Complaint, complainUnknown, operator } from "./operator.ts";
import { BookUnusable, readBook } from "./play/openings.ts";
import { blockOf } from "./match/pairing.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { rounds } from "./match/rounds.ts";
import { RunFailed } from "./run/run-error.ts";
import type { OpenExperiment } from "./experiment/open-experiment.ts";

/** Plays evaluation matches between agents, once or repeatedly during learning. */
export const arena = operator({
  use: "arena",
  description:
    "Plays matches between agents, once or repeatedly during learning. In one-player games every agent plays the same games: the draws of chance are the same as far as play allows. In games of several players the agents change seats, so that each agent sits in each seat equally often.",
  example: "curve: { use: arena, after: weights, agents: [learner], games: 100 }",
  settings: arenaSettings,
  inputs: {
    after: {
      kind: "weights",
      description:
        "The learner whose versions are measured. If absent, one round is played after all learning, with the final weights",
      optional: true,
    },
  },
  output: "results",
  tells: "match",
  check: (settings: ArenaSettings, { opened }) => [
    ...agentComplaints(settings, opened),
    ...openingComplaints(settings, opened),
    ...sequentialComplaints(settings, opened),
  ],
  bounds: (settings: ArenaSettings, { opened }) => [
    `at most ${gamesInFlight(opened, settings.inFlight)} games under way`,
    ...(opened.game.players === 1
      ? []
      : [
          `seats are balanced after every ${blockOf(settings.seats, settings.agents.length, opened.game.players).length} games`,
        ]),
  ],
  agents: ({ agents }: ArenaSettings) => agents,
  replay: (_settings, { view, record }, play) =>
    play(
      new ArenaSchedule(view.opened, view.name).task(record.game, record.generation),
      view.inputs["after"] === undefined ? "last" : "learned",
    ),
  build: (settings: ArenaSettings, { after }, env) =>
    Effect.try({
      try: () => new ArenaMatch(settings, env),
      catch: (error) => {
        if (error instanceof RunFailed) return error;
        if (error instanceof BookUnusable) return new RunFailed({ stage: env.stage, reason: error.message });
        throw error;
      },
    }).pipe(
      Effect.map((match) => rounds(after, settings.every, env, match.nets, (round) => match.round(round))),
    ),
});

function agentComplaints(
  { agents, seats }: ArenaSettings,
  { experiment, game }: OpenExperiment,
): Complaint[] {
  const complaints: Complaint[] = agents.flatMap((agent, i) =>
    complainUnknown(`agents/${i}`, "agent", agent, experiment.agents),
  );
  if (new Set(agents).size < agents.length)
    complaints.push({ key: "agents", message: "an agent is named twice" });
  if (game.players > 1 && agents.length < 2 && seats !== "round-robin")
    complaints.push({ key: "agents", message: `seats: ${seats} needs at least two agents` });
  if (seats === "pairs-among-rest" && (agents.length < 3 || game.players < 3))
    complaints.push({
      key: "seats",
      message: "pairs-among-rest needs at least three agents and a game of at least three players",
    });
  return complaints;
}

function openingComplaints({ openings }: ArenaSettings, { game }: OpenExperiment): Complaint[] {
  if (openings === undefined) return [];
  const { book, plies } = openings;
  if ((book === undefined) === (plies === undefined))
    return [{ key: "openings", message: "give plies, to draw openings at random, or a book, and not both" }];
  if (book === undefined) return [];
  if (game.chance !== undefined)
    return [
      {
        key: "openings/book",
        message: `${game.name} has moves of chance, which a book does not hold; give plies`,
      },
    ];
  try {
    readBook(game, book);
    return [];
  } catch (error) {
    if (!(error instanceof BookUnusable)) throw error;
    return [{ key: "openings/book", message: error.message }];
  }
}

function sequentialComplaints({ agents, sequential }: ArenaSettings, { game }: OpenExperiment): Complaint[] {
  if (sequential === undefined) return [];
  const complaints: Complaint[] = [];
  if (game.players === 1)
    complaints.push({ key: "sequential", message: "a sequential test needs a game of at least two players" });
  if (agents.length !== 2)
    complaints.push({
      key: "sequential",
      message: `a sequential test is between two agents, not ${agents.length}`,
    });
  if (sequential.elo0 >= sequential.elo1)
    complaints.push({ key: "sequential/elo1", message: "elo1 must be above elo0" });
  return complaints;
}

import * as Effect from "effect/Effect";
import { ArenaMatch } from "./measuring/match/arena-match.ts";
import { equalTimeAgents, equalTimeComplaints } from "./measuring/match/equal-time-settings.ts";
import { fixedSimulations } from "./measuring/match/fixed-simulations.ts";
import { ArenaSchedule } from "./measuring/match/arena-schedule.ts";
import { type ArenaSettings, arenaSettings } from "./measuring/match/arena-settings.ts";
import { operator, type WeightsOffer } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { BookUnusable, readBook } from "./play/openings/openings.ts";
import { blockOf } from "./measuring/match/pairing.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { rounds, roundsOf } from "./measuring/match/rounds.ts";
import { equalRounds, seatShares } from "./run/stage-work.ts";
import { participantNamed } from "./experiment/participant.ts";
import { RunFailed } from "./run/run-error.ts";
import type { OpenExperiment } from "./experiment/open-experiment.ts";

/** Maximum number of games whose seats are counted. */
const MOST_COUNTED = 10_000;

/** Plays evaluation matches between agents, once or repeatedly during learning. */
export const arena = operator({
  use: "arena",
  description:
    "Plays matches between agents, once or repeatedly during learning. In one-player games all agents get the same draws of chance, as far as play allows; in other games each agent sits in each seat equally often.",
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
  resultEvent: "match",
  check: (settings: ArenaSettings, { opened, inputs, offered }) => [
    ...agentComplaints(settings, opened),
    ...earlierComplaints(
      settings,
      opened,
      inputs["after"] === undefined ? undefined : offered("after", "weights"),
    ),
    ...openingComplaints(settings, opened),
    ...sequentialComplaints(settings, opened),
    ...equalTimeComplaints(settings, opened),
    ...untilComplaints(
      settings,
      opened,
      inputs["after"] === undefined ? undefined : offered("after", "weights"),
    ),
  ],
  bounds: (settings: ArenaSettings, { opened }) => [
    `at most ${gamesInFlight(opened, settings.inFlight)} games under way`,
    ...(opened.game.players === 1 ? [] : [balanceText(settings, opened)]),
    ...equalTimeBounds(settings, opened),
  ],
  agents: ({ agents }: ArenaSettings) => agents,
  readsAgain: ({ openings }: ArenaSettings) => (openings?.book === undefined ? [] : [openings.book]),
  measuresTime: ({ equalTime = false }: ArenaSettings) => equalTime !== false,
  endsLearning: ({ until }: ArenaSettings) => until !== undefined,
  playsMeanwhile: ({ every }: ArenaSettings) => every > 0,
  work: ({ agents, earlier, every, games, openings, sequential }: ArenaSettings, view) => {
    const schedule = new ArenaSchedule(view.opened, view.name, view.offered);
    const { perRound } = schedule;
    const solo = view.opened.game.players === 1;
    const count = roundsOf(every, view);
    // An agent that only plays its earlier selves plays no game before it has one.
    const playing =
      earlier === undefined
        ? 0
        : Array.from({ length: count }, (_, round) => round).findIndex(
            (round) => schedule.participants(round).length > 1,
          );
    const idle = playing < 0 ? count : playing;
    // The seats of a block of the last round say how often each agent decides; in one-player games all agents play as often.
    const block = solo ? perRound : schedule.blockLength(count - 1);
    const seats = Array.from({ length: Math.min(perRound, block, MOST_COUNTED) }, (_, game) =>
      schedule.seats(perRound * (count - 1) + game),
    ).flat();
    const deciders = seatShares(seats.map((participant) => participantNamed(participant).agent));
    return {
      unit: "games",
      total: perRound * (count - idle),
      purpose: "measure",
      deciders,
      ...(openings?.plies === undefined ? {} : { drawn: openings.plies }),
      rounds: equalRounds(
        count - idle,
        solo
          ? agents.map((agent) => ({ units: games, deciders: { [agent]: 1 } }))
          : [{ units: perRound, deciders }],
      ),
      ...(sequential === undefined ? {} : { endsEarly: true }),
    };
  },
  replay: ({ equalTime = false }, { files, view, record }, play) =>
    play(
      {
        ...new ArenaSchedule(view.opened, view.name, view.offered).task(record.game, record.generation),
        ...(equalTime === false ? {} : fixedSimulations(files.folder, view.name)),
      },
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

/** After how many games seats are balanced; with earlier selves, in rounds in which all of them play. */
function balanceText({ agents, earlier, seats }: ArenaSettings, { game }: OpenExperiment): string {
  const participants = agents.length + (earlier?.most ?? 0);
  const games = blockOf(seats, participants, game.players).length;
  return `seats are balanced after every ${games} games${earlier === undefined ? "" : ` of ${participants} participants`}`;
}

/** Which agents get the time of which one. */
function equalTimeBounds(settings: ArenaSettings, opened: OpenExperiment): string[] {
  const equal = equalTimeAgents(settings, opened);
  if (equal === undefined) return [];
  return [`${[...equal.scaled.keys()].join(", ")}: as much processor time a decision as ${equal.reference}`];
}

function agentComplaints(
  { agents, earlier, seats }: ArenaSettings,
  { experiment, game }: OpenExperiment,
): Complaint[] {
  const complaints: Complaint[] = agents.flatMap((agent, i) =>
    complainUnknown(`agents/${i}`, "agent", agent, experiment.agents),
  );
  if (new Set(agents).size < agents.length)
    complaints.push({ key: "agents", message: "an agent is named twice" });
  if (game.players > 1 && agents.length < 2 && seats !== "round-robin" && earlier === undefined)
    complaints.push({ key: "agents", message: `seats: ${seats} needs at least two agents` });
  if (seats === "pairs-among-rest" && (agents.length < 3 || game.players < 3))
    complaints.push({
      key: "seats",
      message: "pairs-among-rest needs at least three agents and a game of at least three players",
    });
  return complaints;
}

function earlierComplaints(
  { agents, earlier, every, sequential }: ArenaSettings,
  { experiment, game }: OpenExperiment,
  learned: WeightsOffer | undefined,
): Complaint[] {
  if (earlier === undefined) return [];
  const { agent } = earlier;
  if (game.players === 1)
    return [
      {
        key: "earlier",
        message: `${game.name} is played alone: all rounds play for the same score, so the learning curve compares the versions without it`,
      },
    ];
  const complaints: Complaint[] = complainUnknown("earlier/agent", "agent", agent, experiment.agents);
  if (complaints.length > 0) return complaints;
  const { net } = experiment.agents[agent]!;
  if (!agents.includes(agent))
    complaints.push({ key: "earlier/agent", message: `"${agent}" is not an agent of this stage` });
  if (learned === undefined)
    complaints.push({ key: "earlier", message: "earlier selves need a learner to follow: give `after`" });
  else if (net !== learned.net)
    complaints.push({
      key: "earlier/agent",
      message: `"${agent}" has ${net === undefined ? "no net" : `the net "${net}"`}, and this stage follows the versions of "${learned.net}"`,
    });
  if (every === 0)
    complaints.push({
      key: "every",
      message: "one round alone has no earlier ones: give the number of versions between rounds",
    });
  if (sequential !== undefined)
    complaints.push({
      key: "sequential",
      message: "a sequential test is between two agents: leave `earlier` out",
    });
  return complaints;
}

function untilComplaints(
  { agents, earlier, games, seats, until }: ArenaSettings,
  { experiment, game }: OpenExperiment,
  learned: WeightsOffer | undefined,
): Complaint[] {
  if (until === undefined) return [];
  if (earlier === undefined)
    return [
      {
        key: "until",
        message:
          "the test is between versions of an agent: add earlier: { agent: NAME }, the agent that learns",
      },
    ];
  const complaints: Complaint[] = [];
  const { every, most } = earlier;
  if (until.versions % every !== 0 || until.versions > every * most)
    complaints.push({
      key: "until/versions",
      message: `no earlier self is ${until.versions} rounds old: with earlier: { every: ${every}, most: ${most} }, give ${every === 1 ? "a number" : `a multiple of ${every}`} up to ${every * most}`,
    });
  if (learned !== undefined && learned.endsEarly !== true)
    complaints.push({
      key: "until",
      message:
        experiment.schedule === "asynchronous"
          ? "with schedule: asynchronous no generation of games is the last one: write schedule: overlapped"
          : "only learning from the games of self-play can be ended: follow a trainer of such games with `after`",
    });
  if (game.players > 1) {
    const block = blockOf(seats, agents.length + most, game.players).length;
    if (block > games)
      complaints.push({
        key: "games",
        message: `the test of "until" counts whole blocks, and a block of ${agents.length + most} participants has ${block} games: play at least as many`,
      });
  }
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

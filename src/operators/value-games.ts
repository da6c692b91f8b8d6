import * as Effect from "effect/Effect";
import { operator } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { seatShares } from "./run/stage-work.ts";
import { wholeGame } from "./learning/value/value-game-plan.ts";
import { ATTEMPT, RANDOM_PLY, VALUE_EXAMPLES, ValueGames } from "./learning/value/value-games.ts";
import { type ValueGamesSettings, valueGamesSettings } from "./learning/value/value-games-settings.ts";

/** Plays games for a value net: one agent to a random move, another one from there to the end. */
export const valueGames = operator({
  use: "value-games",
  description:
    "Plays games for a value net to learn from, one position a game: one agent plays up to a move that is drawn at random, and another one from there to the end.",
  example: "games: { use: value-games, first: opener, then: opener, games: 10000, longest: 90 }",
  settings: valueGamesSettings,
  inputs: {},
  output: "games",
  check: ({ first, games, generation, then }: ValueGamesSettings, { opened }) => {
    const { agents } = opened.experiment;
    const { game } = opened;
    const complaints: Complaint[] = [
      ...complainUnknown("first", "agent", first, agents),
      ...complainUnknown("then", "agent", then, agents),
    ];
    if (game.chance !== undefined)
      complaints.push({
        message: `${game.name} has moves of chance, so its games cannot be continued as they began`,
      });
    if (generation !== undefined && games % generation !== 0)
      complaints.push({
        key: "generation",
        message: `${games} games cannot be divided into generations of ${generation}`,
      });
    return complaints;
  },
  bounds: ({ inFlight }: ValueGamesSettings, { opened }) => [
    `at most ${gamesInFlight(opened, inFlight)} games under way or waiting to be read`,
  ],
  agents: ({ first, then }: ValueGamesSettings) => [first, then],
  work: ({ first, games, then }: ValueGamesSettings) => ({
    unit: "games",
    total: games,
    purpose: "learn",
    deciders: seatShares([first, then]),
  }),
  offers: ({ games, generation, heldOut, then, values }: ValueGamesSettings) => ({
    agent: then,
    values,
    heldOut,
    examples: VALUE_EXAMPLES,
    games,
    generation: generation ?? games,
  }),
  replay: (settings: ValueGamesSettings, { view, record }, play) => {
    const attempt = { game: record.game, attempt: record.facts[ATTEMPT]! };
    const opening = [...record.actions.subarray(0, record.facts[RANDOM_PLY])];
    return play(wholeGame(settings, view.opened, view.name, attempt, opening), "last");
  },
  build: (settings: ValueGamesSettings, _inputs, env) =>
    Effect.sync(() => new ValueGames(settings, env).games()),
});

import { existsSync } from "node:fs";
import * as Effect from "effect/Effect";
import * as Stream from "effect/Stream";
import { Type } from "../schema.ts";
import { decodeGameRecord } from "../formats/game-records.ts";
import { netNames } from "./experiment/agent-net.ts";
import { retriesSchema } from "./play/game-players.ts";
import type { PlannedGame } from "./play/game-task.ts";
import type { OpeningsReady } from "./run/items.ts";
import { adoptOpenings, readOpenings, writeOpenings } from "./play/openings/opening-database.ts";
import { OpeningsUnusable } from "./play/openings/openings-unusable.ts";
import { operator, type SettingsOf, type StageEnv } from "./operator.ts";
import { type Complaint, complainUnknown } from "./run/complaint.ts";
import { gamesInFlight } from "./run/parallelism.ts";
import { type RunError, RunFailed } from "./run/run-error.ts";
import { openingsPath } from "./run/run-files.ts";

const settings = {
  agent: Type.String({
    description: "The agent that plays the openings against itself (a name under agents); in the source UCT.",
  }),
  openings: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: "Number of openings in the database.",
  }),
  plies: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 4,
    description: "Length of an opening in plies.",
  }),
  file: Type.Optional(
    Type.String({
      description:
        "A database from an earlier run (openings/STAGE.json in its folder), relative to this file's folder. It is used instead of building one, and refused if it was built for another game or by another agent.",
    }),
  ),
  retries: retriesSchema,
};

type Settings = SettingsOf<typeof settings>;

/** Plays openings once; learners begin their games with them. */
export const uctOpenings = operator({
  use: "uct-openings",
  description:
    "Plays the first plies of many games once, on worker threads, and keeps them in a file. A learner begins its games with these openings.",
  example: "openings: { use: uct-openings, agent: opener, openings: 1000, plies: 4 }",
  settings,
  inputs: {},
  output: "openings",
  check: (settings: Settings, { name, opened, folder }) => {
    const { agents } = opened.experiment;
    const complaints: Complaint[] = complainUnknown("agent", "agent", settings.agent, agents);
    if (netNames(agents[settings.agent] ?? {}).length > 0)
      complaints.push({
        key: "agent",
        message: `"${settings.agent}" has a net; openings are played before anything is learned`,
      });
    const { file } = settings;
    const taken = folder !== undefined && existsSync(openingsPath(folder, name));
    if (complaints.length > 0 || file === undefined || taken) return complaints;
    try {
      readOpenings(opened, settings, file);
    } catch (error) {
      if (!(error instanceof OpeningsUnusable)) throw error;
      complaints.push({ key: "file", message: error.message });
    }
    return complaints;
  },
  bounds: (_settings: Settings, { opened }) => [
    `at most ${gamesInFlight(opened, 1)} openings under way`,
    "all openings are in memory",
  ],
  agents: ({ agent }: Settings) => [agent],
  work: ({ agent, file, openings, plies }: Settings) =>
    file === undefined
      ? { unit: "openings", total: openings, purpose: "learn", deciders: { [agent]: 1 }, plies }
      : undefined,
  offers: ({ agent, openings, plies }: Settings) => ({ agent, openings, plies }),
  replay: (_settings, { view, record }, play) =>
    play(
      {
        stage: view.name,
        name: [view.name, record.game],
        index: record.game,
        generation: record.generation,
        seats: record.seats,
        plies: record.actions.length,
      },
      "version",
    ),
  build: (settings: Settings, _inputs, env) =>
    Effect.succeed(
      Stream.fromEffect(openingsOf(settings, env)).pipe(
        Stream.map((openings): OpeningsReady => ({ stage: env.stage, openings })),
        Stream.interruptWhen(env.stop.wait),
      ),
    ),
});

/** The openings: from the run's own database if it exists, else from the given file, else played. */
const openingsOf = (settings: Settings, env: StageEnv): Effect.Effect<Int32Array[], RunError> =>
  Effect.suspend(() => {
    const own = env.files.openings(env.stage);
    const { file } = settings;
    if (!existsSync(own) && file === undefined) return playMissing(settings, env);
    return Effect.try({
      try: () => {
        const openings = readOpenings(env.opened, settings, existsSync(own) ? own : file!);
        if (!existsSync(own)) adoptOpenings(env, file!);
        return openings;
      },
      catch: (error) => {
        if (error instanceof OpeningsUnusable)
          return new RunFailed({ stage: env.stage, reason: error.message });
        throw error;
      },
    });
  });

/** Plays the openings that are still missing, and writes the database. */
const playMissing = (settings: Settings, env: StageEnv): Effect.Effect<Int32Array[], RunError> =>
  Effect.gen(function* () {
    const { agent, openings: total, plies, retries } = settings;
    const { emit, files, opened, play, stage } = env;
    const openings = files.recordedGames(stage, total).map((bytes) => decodeGameRecord(bytes, stage).actions);
    const game = (index: number): PlannedGame => ({
      stage,
      name: [stage, index],
      index,
      generation: 0,
      seats: Array.from({ length: opened.game.players }, () => agent),
      plies,
    });
    emit({ type: "progress", stage, done: openings.length, total, unit: "openings" });
    yield* Stream.range(openings.length, total - 1).pipe(
      Stream.mapEffect((index) => play(game(index), retries), {
        concurrency: gamesInFlight(opened, 1),
      }),
      Stream.runForEach(({ record }) =>
        Effect.sync(() => {
          files.appendGame(stage, record);
          openings.push(decodeGameRecord(record, stage).actions);
          emit({ type: "progress", stage, done: openings.length, total, unit: "openings" });
        }),
      ),
    );
    writeOpenings(env, settings, openings);
    return openings;
  });

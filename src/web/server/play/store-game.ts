import { existsSync } from "node:fs";
import { join } from "node:path";
import { MetricsFile } from "../../../events/metrics-file.ts";
import { type AnalysedDecision, encodeGameAnalysis } from "../../../formats/game-analyses.ts";
import { encodeGameRecord } from "../../../formats/game-records.ts";
import { sha256 } from "../../../formats/sha256.ts";
import type { GameConfig } from "../../../games/registry.ts";
import {
  createRunFolder,
  experimentText,
  hasFinished,
  MANIFEST,
  metricsPath,
  openRunFolder,
} from "../../../graph/folder/run-folder.ts";
import { claimRunFolder } from "../../../graph/folder/run-lock.ts";
import type { AgentConfig, Experiment, NetConfig } from "../../../operators/experiment/open-experiment.ts";
import { RunFiles } from "../../../operators/run/run-files.ts";
import { readManifest } from "../../../operators/run/weights/checkpoint-files.ts";
import type { AgentSettings } from "../../../protocols/session-agent.ts";
import { netRoles } from "../../../search/definition.ts";
import type { PlayView } from "../../views/play-views.ts";
import { clearUnbegun } from "../../../runs/sweep/sweep-folder.ts";
import { runPath } from "../run-paths.ts";
import type { PagePlayer } from "./player.ts";

/** The stage under which played games are stored. */
const STAGE = "games";

/** A game that was played on the page to its end. */
export interface FinishedPlay {
  readonly player: PagePlayer;
  /** The settings of the player's agent at the end of the game. */
  readonly agent: AgentSettings;
  readonly config: GameConfig;
  readonly seed: number;
  readonly seats: readonly ("player" | "person")[];
  readonly actions: readonly number[];
  /** By decision: what the player thought; undefined for those of people. */
  readonly decisions: readonly (AnalysedDecision | undefined)[];
  readonly returns: readonly number[];
  readonly facts: Readonly<Record<string, number>>;
  /** The seat that gave up; `final`: the returns are those of the rules. */
  readonly gaveUp?: { readonly seat: number; readonly final: boolean };
}

/**
 * Stores a game as a record like those of all runs, with what its player thought: in `played/GAME-...` of the folder of runs,
 * one folder for each player. Throws RunFolderInvalid, FileNotWritten.
 */
export function storePlayedGame(root: string, played: FinishedPlay): NonNullable<PlayView["stored"]> {
  const { actions, decisions, facts, gaveUp, returns, seats } = played;
  const experiment = experimentOf(played);
  const folder = join(
    root,
    "played",
    `${played.config.rules}-${sha256(experimentText(experiment)).slice(0, 8)}`,
  );
  const release = claimed(folder, experiment);
  try {
    const files = new RunFiles(folder);
    const game = files.recordedGames(STAGE).length;
    try {
      // The analysis of a game whose record could not be written.
      files.recordedAnalyses(STAGE, game);
      files.appendAnalysis(
        STAGE,
        encodeGameAnalysis({ game, tops: [], decisions: decisions.flatMap((each) => each ?? []) }),
      );
      files.appendGame(
        STAGE,
        encodeGameRecord({
          game,
          generation: 0,
          seats,
          actions,
          values: Float64Array.from(decisions.flatMap((each) => each?.values ?? seats.map(() => Number.NaN))),
          returns,
          facts,
          ...(gaveUp === undefined
            ? {}
            : gaveUp.final
              ? { resigned: gaveUp.seat }
              : { failure: { seat: gaveUp.seat, message: "the person gave the game up" } }),
        }),
      );
    } finally {
      files.close();
    }
    return { run: runPath(root, folder), stage: STAGE, game };
  } finally {
    release();
  }
}

/** What the games of a folder were played with. It can be analysed with this player later. */
function experimentOf({ agent, config, player: { plugins } }: FinishedPlay): Experiment {
  const nets: Record<string, NetConfig> = {};
  const named: Record<string, unknown> = { ...agent };
  for (const role of netRoles) {
    const net = agent[role];
    if (net === undefined) continue;
    nets[role] =
      typeof net === "string"
        ? { ...(readManifest(net).net as NetConfig), weights: net }
        : (net as NetConfig);
    named[role] = role;
  }
  return {
    name: `played-${config.rules}`,
    description: "Games that people have played on the page.",
    ...(plugins.length === 0 ? {} : { plugins }),
    seed: 0,
    schedule: "synchronous",
    compute: { engine: "auto", device: "cpu", threads: 1 },
    game: config,
    nets,
    agents: { player: named as AgentConfig },
    graph: { [STAGE]: { use: "played" } },
  };
}

/** Claims the folder; makes it if there is none yet. */
function claimed(folder: string, experiment: Experiment): () => void {
  let release: () => void;
  if (existsSync(join(folder, MANIFEST))) {
    openRunFolder(folder);
    release = claimRunFolder(folder);
  } else {
    clearUnbegun(folder);
    ({ release } = createRunFolder(experiment, { set: [] }, folder, new Date()));
  }
  try {
    // It is not a run that could continue. The disk may have been full when the folder was made.
    if (!hasFinished(folder)) recordEnd(folder, experiment);
  } catch (error) {
    release();
    throw error;
  }
  return release;
}

/** Records that a run has finished that no stage works on. Throws FileNotWritten. */
function recordEnd(folder: string, { name, seed }: Experiment): void {
  const metrics = MetricsFile.open(metricsPath(folder));
  const time = new Date().toISOString();
  try {
    metrics.record({
      type: "run-started",
      name,
      seed,
      workers: 1,
      resumed: false,
      compute: "",
      seq: 0,
      time,
      elapsed: 0,
    });
    metrics.record({ type: "run-ended", outcome: "finished", seq: 1, time, elapsed: 0 });
  } finally {
    metrics.close();
  }
}

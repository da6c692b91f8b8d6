import type { AnalysedMove } from "../../../formats/game-analyses.ts";
import type { StoredGame } from "../../../formats/game-records.ts";
import type { Game } from "../../../games/game.ts";
import type { AnalysisState } from "../../views/game-views.ts";
import { type LudoflowProcess, startLudoflow } from "../ludoflow-process.ts";
import { RequestRefused } from "../responses.ts";
import { analystSettings } from "./analysts.ts";
import { expectationCurves, turningPoints } from "./expectations.ts";
import { valuedDecisions } from "./game-view.ts";
import { type ViewedRun, statesByPly } from "./opened-game.ts";
import type { ShownDecision } from "./positions.ts";
import { valueUnit } from "./value-unit.ts";

/** The most analyses that run at a time, and that are kept. */
const MOST_RUNNING = 2;
const MOST_KEPT = 32;
/** Moves listed for a decision. */
const MOVES = 8;

interface Demanded {
  readonly by: string;
  readonly process: LudoflowProcess;
  readonly decisions: ShownDecision[];
  state: AnalysisState["state"];
  message?: string;
}

/** A line of `ludoflow analyse --json` for a ply. */
interface PlyLine {
  readonly type: string;
  readonly ply: number;
  readonly seat: number;
  readonly values: readonly (number | null)[];
  readonly loss: number | null;
  readonly legal: number;
  readonly visits: number;
  readonly net: { readonly values: readonly (number | null)[]; readonly rank: number } | null;
  readonly moves: readonly {
    readonly move: string;
    readonly visits: number;
    readonly prior: number | null;
    readonly value: number | null;
  }[];
}

const analyses = new Map<string, Demanded>();
process.once("exit", () => {
  for (const each of analyses.values()) if (each.state === "running") each.process.stop();
});

function keyOf(folder: string, stage: string, game: number): string {
  return JSON.stringify([folder, stage, game]);
}

/**
 * Begins to analyse a stored game by `ludoflow analyse`, in its own process. An analysis of the game by the same analyst
 * continues, one by another analyst is ended. Throws RequestRefused.
 */
export function demandAnalysis(
  { experiment, folder, game }: ViewedRun,
  stage: string,
  record: StoredGame,
  by: string,
): void {
  const key = keyOf(folder, stage, record.game);
  const known = analyses.get(key);
  if (known?.by === by && known.state !== "failed") return;
  known?.process.stop();
  analyses.delete(key);
  const running = [...analyses.values()].filter(({ state }) => state === "running");
  if (running.length >= MOST_RUNNING)
    throw new RequestRefused(503, `${MOST_RUNNING} games are being analysed already; wait for one of them.`);
  const settings = analystSettings(folder, experiment, by);
  if (settings === undefined)
    throw new RequestRefused(409, `"${by}" cannot analyse: a net that it needs has no checkpoint yet.`);
  const decisions: ShownDecision[] = [];
  const stateAt = statesByPly(game, record);
  const started = startLudoflow(
    [
      "analyse",
      folder,
      "--stage",
      stage,
      "--game",
      String(record.game),
      "--agent",
      JSON.stringify(settings),
      "--moves",
      String(MOVES),
      "--json",
    ],
    false,
    (line) => {
      const shown = JSON.parse(line) as PlyLine;
      if (shown.type === "ply") decisions.push(decisionOf(game, stateAt(shown.ply - 1), record, shown));
    },
  );
  const demanded: Demanded = { by, process: started, decisions, state: "running" };
  void started.ended.then((code) => {
    demanded.state = code === 0 ? "done" : "failed";
    if (code !== 0) demanded.message = started.text().trim().split("\n").at(-1) ?? "";
  });
  analyses.set(key, demanded);
  const oldest = [...analyses].find(([, { state }]) => state !== "running");
  if (analyses.size > MOST_KEPT && oldest !== undefined) analyses.delete(oldest[0]);
}

/** The moves of a line are texts, which only their position can read. */
function decisionOf(
  game: Game<unknown>,
  state: unknown,
  { actions }: StoredGame,
  { legal, loss, moves, net, ply, seat, values, visits }: PlyLine,
): ShownDecision {
  return {
    ply: ply - 1,
    seat: seat - 1,
    action: actions[ply - 1]!,
    legal,
    visits,
    values: values.map((value) => value ?? NaN),
    ...(loss === null ? {} : { loss }),
    ...(net === null ? {} : { opinion: { values: net.values.map((value) => value ?? NaN), rank: net.rank } }),
    moves: moves.flatMap(({ move, prior, value, visits: spent }): AnalysedMove[] => {
      const action = game.notation.parse(state, move);
      return action === undefined
        ? []
        : [{ action, visits: spent, prior: prior ?? NaN, value: value ?? NaN }];
    }),
  };
}

/** The decisions of the requested analysis of a game; none without a request. */
export function demandedDecisions(folder: string, stage: string, game: number): readonly ShownDecision[] {
  return analyses.get(keyOf(folder, stage, game))?.decisions ?? [];
}

/** How far the analysis of a game is; undefined if none was requested. */
export function analysisState(
  { experiment, folder, game }: ViewedRun,
  stage: string,
  record: StoredGame,
  seen: number | undefined,
): AnalysisState | undefined {
  const demanded = analyses.get(keyOf(folder, stage, record.game));
  if (demanded === undefined) return undefined;
  const { by, decisions, message, state } = demanded;
  const losses = new Map(decisions.map(({ loss, ply }) => [ply, loss]));
  const analysed = new Set(decisions.map(({ ply }) => ply));
  const valued = valuedDecisions({ experiment, game }, record, { decisions }, by)
    .filter(({ seat, thought }) => thought !== undefined && (seen === undefined || seat === seen))
    .map((each) => {
      const loss = losses.get((each.thought as ShownDecision).ply);
      return loss === undefined ? each : { ...each, loss };
    });
  const unit = Object.hasOwn(experiment.agents, by) ? by : "";
  return {
    state,
    by,
    done: analysed.size,
    ...(message === undefined ? {} : { message }),
    curves: expectationCurves(valued, () => valueUnit(experiment, game, unit)),
    turningPoints: turningPoints(valued),
  };
}

import type { StoredGame } from "../../../formats/game-records.ts";
import { CHANCE, type Game } from "../../../games/game.ts";
import type { OpenTables, TablesLearner } from "../../../models/tables.ts";
import type { Difference } from "../../../search/expected-game.ts";
import { ownerOf } from "../../experiment/open-experiment.ts";
import type { RecordedGame } from "../../operator.ts";
import type { Tensors } from "../../run/items.ts";
import { listCheckpoints, readCheckpoint } from "../../run/weights/checkpoint-files.ts";
import { part } from "../../run/weights/named-tensors.ts";
import { readNamedWeights } from "../../run/weights/net-weights.ts";
import { learnGame, openLearner } from "./learn-game.ts";
import { readOpenings } from "../../play/openings/opening-database.ts";
import { learnerOptions, type LearnerSettings } from "./td-learner-settings.ts";

/**
 * Replays a recorded game of a stage that learns while it plays: learns again from the last checkpoint before the game
 * up to the game, and returns where the game first differs from its record. Throws CheckpointUnusable,
 * OpeningsUnusable.
 */
export function learnAgain(
  settings: LearnerSettings,
  { view, record, files }: RecordedGame,
): Difference | undefined {
  const { opened } = view;
  const { experiment } = opened;
  const { net, exploration } = settings;
  const open = opened.nets.get(net) as OpenTables;
  const before = listCheckpoints(files.checkpoints(net)).findLast(({ learned }) => learned <= record.game);
  const tensors: Tensors =
    before !== undefined
      ? readCheckpoint(before.path, ownerOf(experiment, net)).tensors
      : experiment.nets[net]!.weights !== undefined
        ? readNamedWeights(experiment, net).tensors
        : new Map();
  const tables = open.load(part(tensors, "weights/"));
  const learner = openLearner(opened, open, tables, learnerOptions(settings), settings.search);
  if (before !== undefined) learner.restore(part(tensors, "learner/"));
  const built = view.offered("openings", "openings");
  const openings =
    built === undefined ? [] : readOpenings(opened, built, files.openings(view.inputs["openings"]!));
  for (let index = before?.learned ?? 0; index <= record.game; index++)
    learnGame(learner, opened, { stage: view.name, exploration, openings }, index);
  return firstDifference(opened.game, record, learner);
}

/** Where the game that the learner has just played first differs from a record. */
function firstDifference(
  game: Game<unknown>,
  record: StoredGame,
  learner: TablesLearner,
): Difference | undefined {
  const state = game.initial();
  let decision = 0;
  for (let ply = 0; ply < record.actions.length; ply++) {
    const expected = record.actions[ply]!;
    const actual = learner.actions[ply];
    if (actual === undefined) break;
    const chance = game.toMove(state) === CHANCE;
    if (expected !== actual) return { ply, kind: chance ? "chance" : "decision", expected, actual };
    if (!chance)
      for (let seat = 0; seat < game.players; seat++) {
        const value = record.values[decision]!;
        const now = learner.values[decision++]!;
        if (!Object.is(value, now)) return { ply, kind: "value", expected: value, actual: now };
      }
    game.play(state, actual);
  }
  const [expected, actual] = [record.actions.length, learner.actions.length];
  return expected === actual
    ? undefined
    : { ply: Math.min(expected, actual), kind: "length", expected, actual };
}

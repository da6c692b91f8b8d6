import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decodeGameRecord } from "../../../src/formats/game-records.ts";
import { createGame } from "../../../src/games/registry.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { SelfPlayOpenings } from "../../../src/operators/learning/self-play/self-play-openings.ts";
import type { SelfPlaySettings } from "../../../src/operators/learning/self-play/self-play-settings.ts";
import {
  GameExampleReader,
  gameExamplesIn,
  valuesOfGame,
} from "../../../src/operators/play/examples/game-examples.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun, writeExperiment } from "../../graph/tiny-run.ts";
import { warmed } from "../../operators/warmed-self-play.ts";

/** The values learned of each decision of a game. */
function valueKindOf(bytes: Uint8Array): number[][] {
  const reader = new GameExampleReader(createGame("tic-tac-toe", {}), { reply: false, end: false });
  return Array.from({ length: gameExamplesIn(bytes) }, (_, number) => {
    reader.read(bytes, number);
    return [...reader.values];
  });
}

describe("self-play with a warm start", () => {
  it("has the first games played by the teacher, and learns their results as the learner's net counts them", async () => {
    const folder = join(scratchFolder(), "run");
    expect(await startRun(writeExperiment(scratchFolder(), warmed), folder)).toEqual({ outcome: "finished" });
    const files = new RunFiles(folder);
    const games = files.recordedGames("games").map((bytes) => decodeGameRecord(bytes, "games"));
    expect(games.map(({ seats }) => seats)).toEqual(
      Array.from({ length: 12 }, (_, game) => Array(2).fill(game < 8 ? "teacher" : "learner")),
    );
    const examples = files
      .exampleGenerations("games")
      .flatMap((generation) => [...files.readExamples("games", generation)])
      .map(({ samples }) => valueKindOf(samples));
    for (const [game, values] of examples.entries()) {
      const results = games[game]!.returns.map((earned) => (earned >= 0.5 ? 1 : -1));
      const asResults = values.every((value) => value.every((target, seat) => target === results[seat]));
      expect(asResults).toBe(game < 8);
    }
  });
});

describe("self-play with openings", () => {
  const opened = warmed
    .replace("game: { rules: tic-tac-toe }", "game: { rules: connect-four, columns: 5, rows: 4 }")
    .replace(
      "{ use: mlp, hidden: [4], policy: true, values: win-loss }",
      "{ use: mlp, hidden: [4], policy: true }",
    )
    .replace("resultWeight: 0.5", "resultWeight: 1")
    .replace("generation: 12", "generation: 6")
    .replace(
      "    warmStart",
      "    openings: [{ share: 0.5, plies: { least: 3, most: 9 } }, { share: 0.4, forks: { back: 4 }, plies: 1 }]\n    warmStart",
    );
  const settings = (folder: string) => {
    const { opened: run } = checkGraph(readExperiment(join(folder, "experiment-file.yaml")));
    const { generation, openings } = run.experiment.graph["games"] as unknown as SelfPlaySettings;
    return new SelfPlayOpenings({ opened: run, stage: "games", openings: openings!, generation, lag: 0 });
  };

  it("plays and records them, learns the results of all later decisions and nothing of the openings, and replays", async () => {
    const scratch = scratchFolder();
    const folder = join(scratch, "run");
    expect(await startRun(writeExperiment(scratch, opened), folder)).toEqual({ outcome: "finished" });
    const files = new RunFiles(folder);
    const games = files.recordedGames("games").map((bytes) => decodeGameRecord(bytes, "games"));
    const examples = files
      .exampleGenerations("games")
      .flatMap((generation) => [...files.readExamples("games", generation)]);
    const openings = settings(scratch);
    const lengths = games.map(({ actions, returns, values }, game) => {
      const given = openings.of(game, (earlier) => games[earlier]!.actions);
      const moves = given !== undefined && "actions" in given ? given.actions : [];
      expect(Array.from(actions.subarray(0, moves.length))).toEqual(moves);
      expect(values).toHaveLength(2 * (actions.length - moves.length));
      const learned = valuesOfGame(examples[game]!.samples, 2);
      expect([...learned.actions]).toEqual([...actions]);
      expect(learned.examples).toEqual(
        Array.from({ length: actions.length - moves.length }, (_, i) => ({
          ply: moves.length + i,
          values: returns,
        })),
      );
      return moves.length;
    });
    expect(lengths.slice(0, 6).filter((length) => length > 0).length).toBeGreaterThan(0);
    expect(lengths.slice(6).filter((length) => length > 0).length).toBeGreaterThan(2);
    for (const game of [3, 7, 11])
      expect((await replayGame(folder, "games", game)).difference).toBeUndefined();
  });
});

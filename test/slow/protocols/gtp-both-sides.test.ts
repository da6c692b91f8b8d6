import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Game } from "../../../src/games/game.ts";
import { openGame } from "../../../src/games/registry.ts";
import { agentKinds } from "../../../src/operators/experiment/agent-kinds.ts";
import type { GtpPlayer } from "../../../src/protocols/gtp/player.ts";
import { Random } from "../../../src/random.ts";
import { driveEpisode } from "../../../src/search/drive.ts";
import { episode } from "../../../src/search/episode.ts";
import { openSearch } from "../../../src/search/registry.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

const bin = join(import.meta.dirname, "../../../bin/ludoflow.js");

it.each([
  { dialect: "othello", rules: "othello", options: { size: 6 } },
  { dialect: "gtp-rhino", rules: "othello", options: {} },
  { dialect: "connect-four", rules: "connect-four", options: {} },
  { dialect: "connect-four", rules: "connect-four", options: { columns: 5, rows: 4 } },
])("ludoflow gtp plays whole games of $rules with our own client: $dialect, $options", (each) => {
  const { dialect, options, rules } = each;
  const game: Game<unknown> = openGame(rules, options);
  const file = join(scratchFolder(), "agent.yaml");
  // The engine is at another size until the client sets up the board.
  writeFileSync(file, `game: { rules: ${rules} }\nagent: { use: uct, simulations: 20 }\n`);
  const command = [process.execPath, bin, "gtp", file];
  const engine = openSearch("gtp", game, { command, dialect }, agentKinds()) as GtpPlayer<unknown>;
  const random = openSearch("random", game);
  let passes = 0;
  let wins = 0;
  for (let number = 0; number < 20; number++) {
    const seat = number % 2;
    const searches = seat === 0 ? [engine, random] : [random, engine];
    const seats = searches.map((search, i) => ({
      search,
      random: Random.named("both", number, i),
      evaluator: -1,
    }));
    const { actions, dispute, failure, returns } = driveEpisode(
      episode(game, seats, Random.named("both", number)),
      [],
    );
    expect([failure, dispute]).toEqual([undefined, undefined]);
    passes += actions.filter((action) => rules === "othello" && action === game.actions - 1).length;
    wins += returns[seat]!;
  }
  engine.stop();
  if (rules === "othello") expect(passes).toBeGreaterThan(0);
  expect(wins).toBeGreaterThan(12);
});

import { join } from "node:path";
import { parseArgs } from "node:util";
import { ByteReader } from "../src/formats/byte-stream.ts";
import { decodeGameRecord } from "../src/formats/game-records.ts";
import { GameConnectFour } from "../src/games/connect-four/connect-four.ts";
import type { Game } from "../src/games/game.ts";
import { openRunFolder } from "../src/graph/folder/run-folder.ts";
import { readSuite } from "../src/operators/measuring/suite/suite-file.ts";
import { gamesPath, readLog } from "../src/operators/run/run-files.ts";
import { proportionEstimate } from "../src/stats/intervals.ts";
import { mirrorOf } from "./connect-four-mirror.ts";

/**
 * How many positions of the test suites of a run of `experiments/connect-four-zero.yaml` occur in its games of self-play, up to mirror
 * images, and what share of the others each agent decides rightly in its last round. One CSV line for each stage and agent.
 *
 *     node bin/node.js bench/connect-four-seen.ts runs/connect-four-zero > seen.csv
 */
const { positionals } = parseArgs({ allowPositionals: true });
const [folder] = positionals;
if (folder === undefined) {
  process.stderr.write("expected the folder of a run\n");
  process.exit(2);
}
const game = new GameConnectFour({ columns: 7, rows: 6 });

/** The same text for a position and its mirror image. */
function commonText(position: string): string {
  return [position, mirrorOf(position)].toSorted()[0]!;
}

const seen = new Set<string>();
for (const bytes of readLog(gamesPath(folder, "games"))) {
  const state = game.initial();
  for (const action of decodeGameRecord(bytes, "games").actions) {
    seen.add(commonText(game.notation.position(state)));
    game.play(state, action);
  }
}

const { experiment } = openRunFolder(folder);
process.stdout.write("stage,agent,positions,seen,right,others,share,low,high\n");
for (const [stage, { use, file, agents }] of Object.entries(experiment.graph)) {
  if (use !== "test-suite") continue;
  const positions = readSuite(game as unknown as Game<unknown>, String(file));
  const isSeen = positions.map(({ position }) => seen.has(commonText(position)));
  // Of each agent the decisions of its last round; agents without nets have one round.
  const rounds = new Map<number, { readonly round: number; readonly right: Map<number, boolean> }>();
  for (const bytes of readLog(join(folder, "measurements", `${stage}.log`))) {
    const reader = new ByteReader(bytes, stage);
    const [round, agent, position, right] = [0, 0, 0, 0].map(() => reader.varint());
    const of = rounds.get(agent!);
    const decided = of?.round === round ? of!.right : new Map<number, boolean>();
    if (of === undefined || round! >= of.round) rounds.set(agent!, { round: round!, right: decided });
    decided.set(position!, right === 1);
  }
  for (const [index, agent] of (agents as readonly string[]).entries()) {
    const decided = [...(rounds.get(index)?.right ?? [])].filter(([position]) => !isSeen[position]!);
    const right = decided.filter(([, isRight]) => isRight).length;
    const { value, interval } = proportionEstimate(right, decided.length);
    const count = isSeen.filter(Boolean).length;
    process.stdout.write(
      `${[stage, agent, positions.length, count, right, decided.length, value, ...interval].join(",")}\n`,
    );
  }
}

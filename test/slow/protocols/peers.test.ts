import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { millisecondsADecision } from "../../../src/events/match-effort.ts";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { ProgramMissing, startedCommand } from "../../../src/protocols/gtp/program.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun } from "../../graph/tiny-run.ts";

const peers = join(import.meta.dirname, "../../../experiments/peers");

/** Whether a program is on this machine. */
function here(program: string): boolean {
  try {
    startedCommand([program]);
    return true;
  } catch (error) {
    if (!(error instanceof ProgramMissing)) throw error;
    return false;
  }
}

/** The result of a file with these overrides: its match, and the milliseconds a move of both sides. */
async function played(file: string, overrides: readonly string[]) {
  const run = join(scratchFolder(), "run");
  expect(await startRun(join(peers, file), run, overrides)).toEqual({ outcome: "finished" });
  const events = readMetrics(join(run, "metrics.jsonl"));
  const { contest } = events.findLast((event) => event.type === "match")!;
  const { agents } = events.findLast((event) => event.type === "effort")!;
  for (const { decisions } of agents) expect(decisions.every((count) => count > 10)).toBe(true);
  const [ours, theirs] = agents.map(millisecondsADecision);
  expect(ours).toBeGreaterThan(0);
  return { contest: contest!, ours: ours!, theirs: theirs! };
}

it("UCT plays GNU Go: both count the same score, and the processor time of both is known", async ({
  skip,
}) => {
  skip(!here("gnugo"), "no GNU Go: Debian's package gnugo");
  const { contest, ours, theirs } = await played("go9-uct-gnugo-1.yaml", [
    "agents.uct-x1.simulations=20",
    "graph.x1.games=2",
    "graph.x4=null",
    "graph.x16=null",
  ]);
  // With so few simulations GNU Go takes every stone off the board, so the scores agree.
  expect(contest).toMatchObject({ games: 2, failures: [] });
  expect(contest.disputes).toBe(undefined);
  expect(contest.standings.find(({ agent }) => agent === "gnugo")!.wins.value).toBe(1);
  // It takes some 20 ms a move on one machine, and /proc counts in steps of 10 ms.
  if (process.platform === "linux") expect(theirs).toBeGreaterThan(ours);
}, 120_000);

it("the player of Othello plays GRhino, which passes by itself: both count the same score", async ({
  skip,
}) => {
  skip(!here("gtp-rhino"), "no GRhino: Debian's package grhino");
  vi.stubEnv("LUDOFLOW_GRHINO", "gtp-rhino");
  const { contest } = await played("othello-grhino.yaml", [
    "agents.zero.simulations=4",
    "graph.level-1.games=2",
    "graph.level-2=null",
    "graph.level-3=null",
  ]).finally(() => vi.unstubAllEnvs());
  expect(contest).toMatchObject({ games: 2, failures: [] });
  expect(contest.disputes).toBe(undefined);
}, 120_000);

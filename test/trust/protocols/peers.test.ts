import { join } from "node:path";
import { expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { millisecondsADecision } from "../../../src/events/match-effort.ts";
import { ProgramMissing, startedCommand } from "../../../src/protocols/gtp/program.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { startRun } from "../../graph/tiny-run.ts";

const file = join(import.meta.dirname, "../../../experiments/peers/go9-uct-gnugo-1.yaml");

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

it("UCT plays GNU Go: both count the same score, and the processor time of both is known", async ({
  skip,
}) => {
  skip(!here("gnugo"), "no GNU Go: Debian's package gnugo");
  const run = join(scratchFolder(), "run");
  const outcome = await startRun(file, run, [
    "agents.uct-x1.simulations=20",
    "graph.x1.games=2",
    "graph.x4=null",
    "graph.x16=null",
  ]);
  expect(outcome).toEqual({ outcome: "finished" });
  const events = readMetrics(join(run, "metrics.jsonl"));
  const { contest } = events.findLast((event) => event.type === "match")!;
  // With so few simulations GNU Go takes every stone off the board, so the scores agree.
  expect(contest).toMatchObject({ games: 2, failures: [] });
  expect(contest!.disputes).toBe(undefined);
  expect(contest!.standings.find(({ agent }) => agent === "gnugo")!.wins.value).toBe(1);
  const { agents } = events.findLast((event) => event.type === "effort")!;
  const [ours, theirs] = agents.map(millisecondsADecision);
  expect(ours).toBeGreaterThan(0);
  // It takes some 20 ms a move on one machine, and /proc counts in steps of 10 ms.
  if (process.platform === "linux") expect(theirs).toBeGreaterThan(ours!);
  for (const { decisions } of agents) expect(decisions.every((count) => count > 10)).toBe(true);
}, 120_000);

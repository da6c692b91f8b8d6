import { join } from "node:path";
import { decodeGameRecord, encodeGameRecord } from "../../../src/formats/game-records.ts";
import { MetricsFile, readMetrics } from "../../../src/events/metrics-file.ts";
import { createRunFolder, metricsPath, openRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { RunFiles } from "../../../src/operators/run/run-files.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";

/** Names that a file of ludoflow's own cannot have. A stranger's folder can: nobody has checked it. */
export const HOSTILE = {
  html: `<img src=x onerror="alert('agent')">`,
  japanese: "強化学習で学んだ選手その一",
  /** With a sign that turns the direction of what follows. */
  arabic: "لاعب \u202E الشبكة العصبية",
  long: "W".repeat(200),
  name: `<script>alert("name")</script><b onclick=alert(1)>`,
  stage: `<svg onload=alert("stage")>`,
} as const;

/** The experiment that is run, with harmless names in the places of hostile ones. */
export const HARMLESS = `name: a-name
seed: 3
game: { rules: tic-tac-toe }
agents:
  a-html: { use: uct, simulations: 12 }
  a-japanese: { use: uct, simulations: 6 }
  a-arabic: { use: flat-monte-carlo, simulations: 18 }
  a-long: { use: random }
graph:
  a-stage: { use: arena, agents: [a-html, a-japanese, a-arabic, a-long], games: 24, analyse: 12 }
`;

/** Makes of a run of `HARMLESS` one with hostile names, in a new folder. */
export function strangersRun(from: string, to: string): void {
  const { experiment } = openRunFolder(from);
  const { folder, release } = createRunFolder(renamed(experiment) as Experiment, { set: [] }, to, new Date());
  release();
  const metrics = MetricsFile.open(metricsPath(folder));
  for (const event of readMetrics(metricsPath(from)))
    metrics.record(renamed(event) as Parameters<typeof metrics.record>[0]);
  metrics.close();
  const [harmless, hostile] = [new RunFiles(from), new RunFiles(folder)];
  const analyses = harmless.recordedAnalyses("a-stage", Infinity);
  const path = join(from, "games/a-stage.games");
  for (const [n, bytes] of harmless.recordedGames("a-stage").entries()) {
    const record = decodeGameRecord(bytes, path);
    if (analyses[n] !== undefined) hostile.appendAnalysis(HOSTILE.stage, analyses[n]);
    hostile.appendGame(
      HOSTILE.stage,
      encodeGameRecord({ ...record, seats: record.seats.map((seat) => renamed(seat) as string) }),
    );
  }
  harmless.close();
  hostile.close();
}

/** A value with hostile names in place of the harmless ones, also in its keys. */
function renamed(value: unknown): unknown {
  let text = JSON.stringify(value);
  for (const [name, hostile] of Object.entries(HOSTILE))
    text = text.replaceAll(`a-${name}`, JSON.stringify(hostile).slice(1, -1));
  return JSON.parse(text);
}

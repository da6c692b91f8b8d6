import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RunEvent } from "../../../src/events/event.ts";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { replayGame } from "../../../src/graph/replay-game.ts";
import { writeReport } from "../../../src/report/report.ts";
import { checkedHost } from "../../fleet/check/checked-host.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { ofThisTenth } from "../tenth.ts";
import { startRun } from "../../graph/tiny-run.ts";
import { writeArchive } from "../operators/go-archive.ts";
import { toyScales } from "./toy-scales.ts";

const folder = join(import.meta.dirname, "../../../experiments");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const archive = join(scratch, "archive");
writeArchive(archive);
const toyScale = toyScales(archive);

describe("the experiments", () => {
  it("all have a toy scale here, and nothing else has", () => {
    expect(Object.keys(toyScale).toSorted()).toEqual(files.toSorted());
  });
});

describe.each(ofThisTenth(files))("%s", (file) => {
  const path = join(folder, file);

  it("runs at toy scale to its end: every stage reports results, a game of the last match replays, the report is written", async () => {
    const run = join(scratchFolder(), "run");
    const events: RunEvent[] = [];
    const set = [...toyScale[file]!, "workers=1", "compute.threads=1"];
    // No machine of a fleet could play for an experiment whose honest reports are refused.
    const outcome = await startRun(path, run, set, {
      hostOf: checkedHost(),
      onEvent: (event) => void events.push(event),
    });
    expect(outcome).toEqual({ outcome: "finished" });
    const { stages } = checkGraph(readExperiment(path, set));
    const types = {
      checkpoint: "checkpoint",
      trainer: "training",
      "self-play": "games",
      "td-learner": "games",
      "policy-gradient": "games",
      reinforcement: "pool-games",
      supervised: "training",
    };
    for (const { name, operator } of stages) {
      const type = operator.resultEvent ?? (types[operator.use as keyof typeof types] as string | undefined);
      if (type === undefined) continue;
      const kinds = events
        .filter((event) => "stage" in event && event.stage === name)
        .map((event) => event.type);
      expect(kinds, name).toContain(type);
    }
    const last = stages.findLast(({ operator }) => operator.use === "arena");
    // Some files play no match.
    if (last !== undefined) expect((await replayGame(run, last.name, 0)).difference).toBeUndefined();
    expect(readFileSync(writeReport(run), "utf8")).toContain("<svg");
  });
});

import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it, vi } from "vitest";
import { checkGraph } from "../src/graph/check-graph.ts";
import { checkInputs } from "../src/graph/check-inputs.ts";
import { readExperiment } from "../src/graph/experiment-file.ts";

const folder = join(import.meta.dirname, "../experiments");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

// Programs that play need not be here: another one takes the place of each of them, and none is started.
const programs = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
symlinkSync(process.execPath, join(programs, "gnugo"));
afterAll(() => rmSync(programs, { recursive: true, force: true }));
beforeEach(() => {
  vi.stubEnv("PATH", `${programs}${delimiter}${process.env["PATH"]}`);
  vi.stubEnv("LUDOFLOW_PACHI", process.execPath);
});

// Each of them runs at toy scale in test/trust/plugins/experiments.test.ts.
describe.each(files)("%s", (file) => {
  const path = join(folder, file);

  it("has nothing wrong with it, finds what it needs, says what it shows, and is completed in editors", async () => {
    const graph = checkGraph(readExperiment(path));
    const { opened } = graph;
    const weights = Object.entries(opened.experiment.nets).filter(([, net]) => "weights" in net);
    expect([...(await checkInputs(graph)).keys()]).toEqual(weights.map(([net]) => net));
    expect(opened.experiment.name).toBe(file.replace(/\.yaml$/, ""));
    expect(opened.experiment.description).toMatch(/\w{3}/);
    expect(opened.experiment.schedule).toBe("synchronous");
    expect(readFileSync(path, "utf8")).toMatch(
      /^# yaml-language-server: \$schema=\.\.\/schemas\/experiment\.schema\.json\n/,
    );
  });
});

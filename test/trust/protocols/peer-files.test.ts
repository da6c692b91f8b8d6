import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import { checkGraph } from "../../../src/graph/check-graph.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";

const folder = join(import.meta.dirname, "../../../experiments/peers");
const files = readdirSync(folder).filter((name) => name.endsWith(".yaml"));

/** Programs of others that have no fixed place; any program will do for a check. */
beforeAll(() => {
  for (const name of ["LUDOFLOW_GRHINO", "LUDOFLOW_PACHI", "LUDOFLOW_PENTOBI"])
    vi.stubEnv(name, process.execPath);
  return () => void vi.unstubAllEnvs();
});

it.each(files)("%s passes check, and its README names it and the variables of its programs", (file) => {
  const { opened, stages } = checkGraph(readExperiment(join(folder, file)));
  expect(stages.length).toBeGreaterThan(0);
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  const named = [...readme.matchAll(/^\| `([\w*.-]+)` \|/gm)].map(([, name]) => name!.replace("*", ""));
  expect(named.some((name) => file.startsWith(name.replace(".yaml", "")))).toBe(true);
  const programs = Object.values(opened.experiment.agents).filter(({ use }) => use === "gtp");
  expect(programs.length).toBeGreaterThan(0);
  for (const { command } of programs) {
    const [program] = command as string[];
    expect(readme).toContain(program!.replace("$", ""));
    expect(program).toMatch(/^(?:gnugo|\$LUDOFLOW_[A-Z]+)$/);
  }
});

it.each(["blokus-pentobi.yaml", "duo-pentobi.yaml"])(
  "%s has the committed player and MCTS against levels 1, 3 and 5, in all seats equally often",
  (file) => {
    const { opened } = checkGraph(readExperiment(join(folder, file)));
    const { agents, graph, workers } = opened.experiment;
    expect(workers).toBe(1);
    const pairs = Object.values(graph).map(({ agents: seated }) => seated as string[]);
    const levels = ["pentobi-1", "pentobi-3", "pentobi-5"];
    expect(pairs).toEqual(["zero", "mcts"].flatMap((ours) => levels.map((level) => [ours, level])));
    for (const { games, openings } of Object.values(graph)) {
      expect((games as number) % opened.game.players).toBe(0);
      expect(openings).toMatchObject({ shared: true });
    }
    for (const level of levels) {
      const { command } = agents[level]!;
      expect((command as string[]).join(" ")).toBe(
        `$LUDOFLOW_PENTOBI --nobook --noresign --threads 1 --level ${level.at(-1)} --quiet`,
      );
    }
    expect(agents["mcts"]).toMatchObject({ use: "mcts-max-n" });
    expect(opened.experiment.nets["zero"]).toHaveProperty("weights");
  },
);

it("othello-grhino.yaml has the committed player against levels 1, 2 and 3, without a book, 100 games each", () => {
  const { opened } = checkGraph(readExperiment(join(folder, "othello-grhino.yaml")));
  const { agents, graph, workers } = opened.experiment;
  expect(workers).toBe(1);
  expect(Object.keys(graph)).toEqual(["level-1", "level-2", "level-3"]);
  for (const [stage, arena] of Object.entries(graph)) {
    const level = stage.at(-1);
    expect(arena).toMatchObject({
      agents: ["zero", `grhino-${level}`],
      games: 100,
      openings: { plies: 6, shared: true },
      onFailure: "forfeit",
    });
    const { command, dialect } = agents[`grhino-${level}`]!;
    expect([dialect, ...(command as string[])]).toEqual([
      "gtp-rhino",
      "$LUDOFLOW_GRHINO",
      `--level=${level}`,
      "--book=0",
    ]);
  }
  expect(opened.experiment.nets["zero"]).toHaveProperty("weights");
});

const ladders = files.filter((name) => name.startsWith("go9-"));

it.each(ladders)("%s is a ladder against one program, in both colours from the same openings", (file) => {
  const { opened, stages } = checkGraph(readExperiment(join(folder, file)));
  const { agents, name, workers } = opened.experiment;
  expect(`${name}.yaml`).toBe(file);
  // A thread and the program that it waits for take one core; more threads than idle cores would change the times.
  expect([1, 2]).toContain(workers);
  const games: Readonly<Record<string, number>> = { x1: 100, x4: 50, x16: 20 };
  expect(stages.length).toBeGreaterThan(0);
  const simulations: number[] = [];
  for (const [stage, { agents: seated, ...arena }] of Object.entries(opened.experiment.graph)) {
    expect(arena).toMatchObject({
      games: games[stage],
      openings: { plies: 2, shared: true },
      onFailure: "forfeit",
    });
    const [ours, theirs] = (seated as string[]).map((agent) => agents[agent]!);
    expect(ours).toMatchObject({ use: "uct", milliseconds: 0, passLast: true });
    expect(theirs).toMatchObject({ use: "gtp", dialect: "go" });
    simulations.push(ours!["simulations"] as number);
  }
  expect(simulations).toEqual(simulations.toSorted((a, b) => a - b));
});

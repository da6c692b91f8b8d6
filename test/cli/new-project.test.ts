import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { installedFrom, layOutProject } from "../../src/cli/new-project.ts";
import { createGame } from "../../src/games/registry.ts";
import { checkGraph } from "../../src/graph/check-graph.ts";
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { brokenLaws } from "../../src/plugins/game-laws.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));
const tarball = join(scratch, "ludoflow-0.1.0.tgz");
writeFileSync(tarball, "");

describe("a new project", () => {
  const folder = join(scratch, "my-game");
  const files = layOutProject(folder, tarball);
  const read = (file: string) => readFileSync(join(folder, file), "utf8");

  it("has the files that it lists", () => {
    expect(files.filter((file) => !existsSync(join(folder, file)))).toEqual([]);
    expect(read("README.md")).toMatch(/^# my-game\n[^]*onnxruntime-node@\d+\.\d+\.\d+/);
  });

  it("depends on the tarball, by a path from the project", () => {
    const { dependencies, name } = JSON.parse(read("package.json")) as Record<string, unknown>;
    expect({ dependencies, name }).toEqual({
      dependencies: { ludoflow: "file:../ludoflow-0.1.0.tgz" },
      name: "my-game",
    });
  });

  it("has an experiment that is right, and that editors know", () => {
    const { opened } = checkGraph(readExperiment(join(folder, "experiments/first.yaml")));
    expect(opened.game.name).toBe("nim");
    expect(read(".vscode/experiment.schema.json")).toContain('"Number of heaps: of 1, 3, 5, ... objects."');
  });

  it("has a game that keeps the laws, and whose notation is read back", () => {
    for (const heaps of [2, 3, 5]) {
      const game = createGame("nim", { heaps });
      expect(brokenLaws(game, { games: 10 })).toEqual([]);
    }
    const game = createGame("nim", { heaps: 3 });
    const state = game.initial();
    for (const move of ["c5", "b2", "a1", "b1"]) game.play(state, game.notation.parse(state, move)!);
    const returns = new Float64Array(2);
    game.returns(state, returns);
    expect([...returns]).toEqual([0, 1]);
    expect(game.notation.parse(game.initial(), "a2")).toBeUndefined();
  });

  it("is installed from the tarball of the project around it, if that names one", () => {
    const around = join(scratch, "around");
    mkdirSync(around);
    writeFileSync(join(around, "ludoflow-0.1.0.tgz"), "");
    const found = (manifest: string) => {
      writeFileSync(join(around, "package.json"), manifest);
      return installedFrom(around);
    };
    expect(found('{"dependencies":{"ludoflow":"file:ludoflow-0.1.0.tgz"}}')).toBe(
      join(around, "ludoflow-0.1.0.tgz"),
    );
    for (const manifest of ["null", "{", "[]", '{"dependencies":null}', '{"dependencies":{"ludoflow":5}}'])
      expect(found(manifest)).toBeUndefined();
  });

  it("is refused in a folder with files, under a name that npm refuses, and for a tarball that is none", () => {
    expect(() => layOutProject(folder)).toThrow("is not empty (it has .gitignore)");
    expect(() => layOutProject(tarball)).toThrow("is a file");
    expect(() => layOutProject(join(scratch, "My Game"))).toThrow("cannot be the name of a project");
    const empty = join(scratch, "empty");
    mkdirSync(empty);
    expect(() => layOutProject(empty, "none.tgz")).toThrow("--from none.tgz");
    expect(existsSync(join(empty, "package.json"))).toBe(false);
  });
});

import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outsideCodeOf } from "../../../src/graph/code/outside-code.ts";
import {
  allow,
  CodeNotAllowed,
  notAllowed,
  permissionsFolder,
  permitAllowed,
} from "../../../src/graph/code/permission.ts";
import { readExperiment } from "../../../src/graph/experiment-file.ts";
import { createRunFolder } from "../../../src/graph/folder/run-folder.ts";
import { newRun, resumedRun } from "../../../src/graph/start-run.ts";
import type { Experiment } from "../../../src/operators/experiment/open-experiment.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { writeExperiment } from "../tiny-run.ts";

const names = ["XDG_CONFIG_HOME", "PLAYER"] as const;
let folder = "";
let before: (string | undefined)[] = [];
beforeEach(() => {
  folder = scratchFolder();
  before = names.map((name) => process.env[name]);
  process.env["XDG_CONFIG_HOME"] = join(folder, "settings");
});
afterEach(() => {
  for (const [i, name] of names.entries())
    if (before[i] === undefined) delete process.env[name];
    else process.env[name] = before[i];
});

/** A script, in the folder of the test, that leaves a file behind when it is started. */
function script(name = "player.sh", more = ""): string {
  const path = join(folder, name);
  writeFileSync(path, `#!/bin/sh\ntouch ${join(folder, "started")}\n${more}`);
  chmodSync(path, 0o755);
  return path;
}

const compute = { engine: "auto", device: "cpu", threads: 1 } as const;
const programs = (command: readonly string[], more: object = {}) =>
  ({
    compute,
    agents: { random: { use: "random" }, other: { use: "gtp", command, ...more } },
  }) as unknown as Experiment;
const contentOf = (experiment: Experiment, where = folder) => outsideCodeOf(experiment, where)[0]!.content;

describe("the code that an experiment names", () => {
  it("is the programs of its agents, with the command as it is started", () => {
    const path = script();
    process.env["PLAYER"] = `${path} --level 1`;
    const code = outsideCodeOf(
      programs(["$PLAYER", "--mode", "g t\u001b[2Jp"], { setUp: ["level 3"] }),
      folder,
    );
    expect(code).toMatchObject([{ kind: "program", where: 'agent "other"' }]);
    expect(code[0]!.what).toBe(`${path} --level 1 --mode "g t\\u001b[2Jp"; sends it: "level 3"`);
    expect(
      outsideCodeOf({ compute, agents: { random: { use: "random" } } } as unknown as Experiment),
    ).toEqual([]);
  });

  it("is the Python that computes nets, if the file names one", () => {
    const python = script("python");
    const named = (more: object) =>
      outsideCodeOf({ compute: { ...compute, ...more }, agents: {} } as unknown as Experiment, folder);
    expect(named({ engine: "torch" })).toEqual([]);
    expect(named({ engine: "onnx", python })).toEqual([]);
    const [code] = named({ engine: "torch", python });
    expect(code).toMatchObject({ kind: "program", where: "compute", what: python });
    expect(() => named({ engine: "torch", python: join(folder, "none") })).toThrow(
      /^compute: ".*none" is not an executable file; name a Python that has PyTorch/,
    );
    script("python", "rm -r ~\n");
    expect(named({ engine: "torch", python })[0]!.content).not.toBe(code!.content);
  });

  it("is other code if anything differs that decides what is executed, and else the same", () => {
    const path = script();
    const argument = script("argument.sh");
    const made = () => contentOf(programs([path, "--rules", argument]));
    const first = made();
    expect(made()).toBe(first);
    expect(contentOf(programs([path, "--rule", argument]))).not.toBe(first);
    expect(contentOf(programs([path, "--rules", argument], { setUp: ["level 3"] }))).not.toBe(first);
    expect(contentOf(programs([path, "--rules", argument]), join(folder, "elsewhere"))).not.toBe(first);
    script("argument.sh", "rm -r ~\n");
    expect(made()).not.toBe(first);
    script("argument.sh");
    expect(made()).toBe(first);
    script("player.sh", "rm -r ~\n");
    expect(made()).not.toBe(first);
    process.env["PLAYER"] = path;
    const named = contentOf(programs(["$PLAYER"]));
    process.env["PLAYER"] = argument;
    expect(contentOf(programs(["$PLAYER"]))).not.toBe(named);
  });
});

describe("permission", () => {
  it("is remembered by content, for each piece by itself, until its file is deleted", () => {
    const [one, other] = [["a"], ["b"]].map(([content]) => ({
      kind: "plug-in" as const,
      where: "plugins",
      what: "hex.ts",
      content: content!,
    }));
    expect(notAllowed([one!, other!])).toEqual([one, other]);
    allow([one!]);
    expect(notAllowed([one!, other!])).toEqual([other]);
    // Another kind of code with this content is other code.
    expect(notAllowed([{ ...one!, kind: "program" }])).toHaveLength(1);
    expect(permissionsFolder()).toBe(join(folder, "settings", "ludoflow", "allowed-code"));
    expect(readdirSync(permissionsFolder())).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
    expect(() => permitAllowed([one!])).not.toThrow();
    expect(() => permitAllowed([one!, other!])).toThrow(CodeNotAllowed);
  });

  const match = (path: string) =>
    writeExperiment(
      folder,
      "name: x\nseed: 1\ngame: { rules: tic-tac-toe }\nagents:\n  random: { use: random }\n" +
        `  other: { use: gtp, command: [${path}] }\n` +
        "graph:\n  match: { use: arena, agents: [random, other], games: 2 }\n",
    );

  it("is needed for a run and before anything is written, and says what it is for", async () => {
    const file = match(script());
    const out = join(folder, "run");
    // Called only after the permission.
    const announce = () => Promise.reject(new Error("permitted"));
    const start = () => newRun(readExperiment(file), { file, set: [] }, { out, announce });
    await expect(start()).rejects.toThrow(/^agent "other" names a program: .*player\.sh\n[^]*--allow-code/);
    allow(outsideCodeOf(readExperiment(file).experiment));
    await expect(start()).rejects.toThrow("permitted");
    script("player.sh", "rm -r ~\n");
    await expect(start()).rejects.toThrow(CodeNotAllowed);
    expect(existsSync(out)).toBe(false);
    expect(existsSync(join(folder, "started"))).toBe(false);
  });

  it("is needed to resume a run", async () => {
    const out = join(folder, "run");
    const file = match(script());
    createRunFolder(readExperiment(file).experiment, { file, set: [] }, out, new Date()).release();
    await expect(resumedRun(out, { asStarted: false })).rejects.toThrow(CodeNotAllowed);
    const permit = () => Promise.reject(new Error("asked"));
    await expect(resumedRun(out, { asStarted: false, permit })).rejects.toThrow("asked");
  });
});

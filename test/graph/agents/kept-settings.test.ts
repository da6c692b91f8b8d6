import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { KeptSettings, weightsVersion } from "../../../src/graph/agents/kept-settings.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";

it("reads an agent of an experiment once, until the file or a file that it extends has another text", () => {
  const folder = scratchFolder();
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  const base = (simulations: number) =>
    `name: base\nseed: 1\ngame: { rules: tic-tac-toe }\nagents: { uct: { use: uct, simulations: ${simulations} } }\n` +
    "graph: { match: { use: arena, agents: [uct], games: 2 } }\n";
  write("base.yaml", base(10));
  write("file.yaml", "extends: base.yaml\nname: file\n");
  const kept = new KeptSettings();
  const read = () => kept.read(`${join(folder, "file.yaml")}#uct`);
  const first = read();
  expect(first).toMatchObject({ simulations: 10 });
  expect(read()).toBe(first);
  // Of the same length, and within one tick of the clock of some disks.
  write("base.yaml", base(20));
  const second = read();
  expect(second).toMatchObject({ simulations: 20 });
  write("base.yaml", base(20));
  expect(read()).toBe(second);
  write("file.yaml", "extends: base.yaml\nname: file\nagents: { uct: { exploration: 2 } }\n");
  expect(read()).toMatchObject({ simulations: 20, exploration: 2 });
  write("file.yaml", "extends: base.yaml\nname: file\nagents: { uct: { explorations: 2 } }\n");
  expect(read).toThrow(/explorations/);
  rmSync(join(folder, "file.yaml"));
  expect(read).toThrow(/no such file|cannot read/);
});

it("keeps sixteen files, those that were requested last", () => {
  const folder = scratchFolder();
  const kept = new KeptSettings();
  const read = (number: number) => {
    const file = join(folder, `${number}.yaml`);
    writeFileSync(file, "use: random\n");
    return kept.read(file);
  };
  const settings = Array.from({ length: 16 }, (_, number) => read(number));
  expect(read(0)).toBe(settings[0]);
  read(16);
  expect(read(0)).toBe(settings[0]);
  expect(read(1)).not.toBe(settings[1]);
  expect(read(1)).toEqual(settings[1]);
});

it("looks for weights again until they are there", () => {
  const folder = scratchFolder();
  const file = join(folder, "agent.yaml");
  writeFileSync(file, "use: greedy\nnet: strong\n");
  const kept = new KeptSettings();
  expect(kept.read(file)).toEqual({ use: "greedy", net: "strong" });
  mkdirSync(join(folder, "strong"));
  const found = kept.read(file);
  expect(found).toEqual({ use: "greedy", net: join(folder, "strong") });
  expect(kept.read(file)).toBe(found);
});

it("has another version of weights when a checkpoint is written, replaced or removed, and no other", () => {
  const folder = scratchFolder();
  const manifest = join(folder, "checkpoint.json");
  const model = join(folder, "model.onnx");
  const versions = () => [
    weightsVersion({ use: "greedy", net: folder }),
    weightsVersion({ use: "greedy", valueNet: { use: "mlp", weights: folder } }),
    weightsVersion({ use: "greedy", net: { use: "onnx", file: model } }),
    weightsVersion({ use: "random" }),
  ];
  const changed = (change: () => void) => {
    const before = versions();
    change();
    return versions().map((version, i) => version !== before[i]);
  };
  writeFileSync(model, "one");
  expect(changed(() => undefined)).toEqual([false, false, false, false]);
  expect(changed(() => writeFileSync(manifest, "one"))).toEqual([true, true, false, false]);
  expect(changed(() => writeFileSync(manifest, "two, longer"))).toEqual([true, true, false, false]);
  expect(changed(() => writeFileSync(model, "two, longer"))).toEqual([false, false, true, false]);
  expect(changed(() => rmSync(folder, { recursive: true }))).toEqual([true, true, true, false]);
});

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  type Checkpoint,
  checkpointName,
  holdsCheckpoint,
  listCheckpoints,
  readCheckpoint,
  removeCheckpoint,
  removeRemains,
  writeCheckpoint,
} from "../../../../src/operators/run/weights/checkpoint-files.ts";
import { withLaterNetOptions } from "../../../../src/operators/experiment/later-options.ts";
import { encodeSafetensors } from "../../../../src/formats/safetensors.ts";
import { CheckpointUnusable } from "../../../../src/operators/run/run-error.ts";
import { rewriteSealed } from "../../../formats/rewrite-sealed.ts";
import { scratchFolder } from "../../../formats/scratch-folder.ts";
import { smallDisk } from "../../../formats/small-disk.ts";
import { reasonOf } from "../../../formats/reason-of.ts";

const game = { rules: "2048", rows: 2, columns: 2 };
const checkpoint: Checkpoint = {
  game,
  net: withLaterNetOptions({ use: "mlp", hidden: [8] }),
  name: "value",
  version: 3,
  learned: 120,
  unit: "steps",
  progress: { steps: 120 },
  tensors: new Map([
    ["weights/value/bias", { shape: [2], data: Float32Array.of(0.5, -1.25) }],
    ["weights/value/kernel", { shape: [2, 2], data: Float32Array.of(1, 2, 3, 4) }],
    ["optimiser/step", { shape: [1], data: Float32Array.of(120) }],
  ]),
};

/** The names and bytes of all files in a folder. */
function bytesIn(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    names
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((path) => [path.slice(folder.length), readFileSync(path).toString("base64")]),
  );
}
describe("checkpoints", () => {
  it("come back as they were written", () => {
    const folder = join(scratchFolder(), "checkpoints", "value", checkpointName(120));
    writeCheckpoint(folder, checkpoint);
    expect(readCheckpoint(folder)).toEqual(checkpoint);
    expect(readCheckpoint(folder, { game, net: checkpoint.net })).toEqual(checkpoint);
    expect(folder.endsWith("0000000120")).toBe(true);
  });

  it("have the defaults of options that their nets did not have yet", () => {
    const folder = join(scratchFolder(), "earlier");
    writeCheckpoint(folder, { ...checkpoint, net: { use: "mlp", hidden: [8] } });
    expect(readCheckpoint(folder, { game, net: checkpoint.net })).toEqual(checkpoint);
  });

  it("are the same bytes whenever the content is the same, and hold further files", () => {
    const scratch = scratchFolder();
    const attachments = { "net.onnx": Uint8Array.of(1, 2, 3) };
    writeCheckpoint(join(scratch, "a"), checkpoint, attachments);
    const tensors = new Map([...checkpoint.tensors].toReversed());
    writeCheckpoint(join(scratch, "b"), { ...checkpoint, tensors }, attachments);
    expect(bytesIn(join(scratch, "a"))).toEqual(bytesIn(join(scratch, "b")));
    expect([...bytesIn(join(scratch, "a")).keys()]).toEqual([
      "/checkpoint.json",
      "/net.onnx",
      "/state.safetensors",
    ]);
    expect(readdirSync(scratch).toSorted()).toEqual(["a", "b"]);
  });

  it("are listed oldest first; half-written folders and others do not count", () => {
    const scratch = scratchFolder();
    for (const learned of [1000, 40, 200])
      writeCheckpoint(join(scratch, checkpointName(learned)), checkpoint);
    mkdirSync(join(scratch, ".0000000300.part"));
    writeFileSync(join(scratch, ".0000000300.part", "state.safetensors"), "half");
    mkdirSync(join(scratch, "0000000400"));
    mkdirSync(join(scratch, "notes"));
    expect(listCheckpoints(scratch).map(({ learned }) => learned)).toEqual([40, 200, 1000]);
    expect(listCheckpoints(join(scratch, "nowhere"))).toEqual([]);
    // What a killed writer has left is no obstacle.
    writeCheckpoint(join(scratch, checkpointName(300)), checkpoint);
    expect(listCheckpoints(scratch).map(({ learned }) => learned)).toEqual([40, 200, 300, 1000]);
  });

  it("notice damage in any file, wherever it is", () => {
    const scratch = scratchFolder();
    const whole = join(scratch, "whole");
    writeCheckpoint(whole, checkpoint, { "net.onnx": new Uint8Array(100) });
    const damage: ((folder: string, file: string) => void)[] = [
      (folder, file) => {
        const bytes = readFileSync(join(folder, file));
        bytes[bytes.length >> 1]! ^= 4;
        writeFileSync(join(folder, file), bytes);
      },
      (folder, file) => appendFileSync(join(folder, file), "x"),
      (folder, file) => truncateSync(join(folder, file), 20),
      (folder, file) => truncateSync(join(folder, file), 0),
      (folder, file) => rmSync(join(folder, file)),
    ];
    for (const file of ["state.safetensors", "net.onnx"])
      for (const [kind, harm] of damage.entries()) {
        const folder = join(scratch, `${file}-${kind}`);
        cpSync(whole, folder, { recursive: true });
        harm(folder, file);
        const reason = reasonOf(CheckpointUnusable, () => readCheckpoint(folder));
        expect(reason).toContain(folder);
        expect(reason).toContain(file);
        expect(reason).toMatch(/damaged|cannot be read/);
        expect(reason).toMatch(/go on from the one before|take another checkpoint/);
      }
  });

  it("notice a manifest that is damaged, foreign or missing", () => {
    const scratch = scratchFolder();
    const folder = join(scratch, "one");
    writeCheckpoint(folder, checkpoint);
    const manifest = join(folder, "checkpoint.json");
    const text = readFileSync(manifest, "utf8");
    const cases: [string, RegExp][] = [
      [text.slice(0, 40), /checkpoint\.json is no JSON/],
      ["", /is no JSON/],
      ["null", /of the format "unknown"/],
      [
        "[]",
        /of the format "unknown"; this program reads "ludoflow checkpoint 2" and "ludoflow checkpoint 1"/,
      ],
      ['{"format":"ludoflow checkpoint 3"}', /of the format "ludoflow checkpoint 3"; this program reads/],
      [text.replace('"state.safetensors"', '"other.safetensors"'), /is damaged, or was changed by hand/],
      [text.replace('"learned": 120', '"learned": 121'), /its checksum differs; take another checkpoint/],
      [text.replace('"sha256"', '"sha255"'), /is damaged: it has no checksum, and "sha255"/],
    ];
    for (const [content, message] of cases) {
      writeFileSync(manifest, content);
      expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(message);
    }
    // Well sealed, or of a time without checksums, but not a manifest.
    for (const change of [
      (told: object) => ({ ...told, game: undefined }),
      (told: object) => ({ ...told, game: "2048" }),
      (told: object) => ({ ...told, net: null }),
      (told: object) => ({ ...told, version: -1 }),
      (told: object) => ({ ...told, learned: "120" }),
      (told: object) => ({ ...told, unit: "years" }),
      (told: object) => ({ ...told, progress: { steps: "many" } }),
      (told: object) => ({ ...told, files: { "../state.safetensors": { bytes: 1, sha256: "" } } }),
    ]) {
      writeFileSync(manifest, text);
      rewriteSealed(manifest, change);
      const refused =
        /checkpoint\.json is not what this program writes: "\w+" is not .*; take another checkpoint/;
      expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(refused);
      const { sha256: _, ...unsealed } = JSON.parse(readFileSync(manifest, "utf8")) as { sha256: string };
      writeFileSync(manifest, JSON.stringify(unsealed));
      expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(refused);
    }
    writeFileSync(manifest, text);
    rewriteSealed(manifest, (told: object) => ({ ...told, files: {} }));
    expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(/names no state\.safetensors/);
    rmSync(manifest);
    expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(
      /it has no checkpoint\.json; a checkpoint is the folder that holds one$/,
    );
    expect(reasonOf(CheckpointUnusable, () => readCheckpoint(join(scratch, "none")))).toMatch(
      /there is no such folder/,
    );
    expect(reasonOf(CheckpointUnusable, () => readCheckpoint(manifest))).toMatch(/there is no such folder/);
  });

  it("are refused where their tensors are of another format than their manifest", () => {
    const folder = join(scratchFolder(), "one");
    writeCheckpoint(folder, checkpoint);
    const manifest = join(folder, "checkpoint.json");
    for (const [metadata, name] of [
      [{ format: "ludoflow checkpoint 3" }, "ludoflow checkpoint 3"],
      [{}, "unknown"],
    ] as const) {
      const content = Buffer.concat(encodeSafetensors({ tensors: checkpoint.tensors, metadata }));
      writeFileSync(join(folder, "state.safetensors"), content);
      const sha256 = createHash("sha256").update(content).digest("hex");
      const files = { "state.safetensors": { bytes: content.length, sha256 } };
      rewriteSealed(manifest, (told: object) => ({ ...told, files }));
      expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder))).toMatch(
        `state.safetensors is of the format "${name}", and checkpoint.json says "ludoflow checkpoint 2"`,
      );
    }
  });

  it("are refused for another game or net, naming both", () => {
    const folder = join(scratchFolder(), "one");
    writeCheckpoint(folder, checkpoint);
    const { net } = checkpoint;
    expect(
      reasonOf(CheckpointUnusable, () => readCheckpoint(folder, { game: { rules: "tic-tac-toe" }, net })),
    ).toMatch(
      /learned on \{rules:2048,rows:2,columns:2\}, not on \{rules:tic-tac-toe\}; name a checkpoint of this game/,
    );
    expect(
      reasonOf(CheckpointUnusable, () => readCheckpoint(folder, { game, net: { use: "mlp", hidden: [16] } })),
    ).toMatch(/holds the net \{use:mlp,hidden:\[8\],.*\}, not \{use:mlp,hidden:\[16\]\}/);
    expect(readCheckpoint(folder, { game: { columns: 2, rows: 2, rules: "2048" }, net }).learned).toBe(120);
  });

  it("fit a game whose other options no net depends on", () => {
    const folder = join(scratchFolder(), "one");
    const { net } = checkpoint;
    writeCheckpoint(folder, { ...checkpoint, game: { rules: "go", size: 9, komi: 7, moveLimit: 162 } });
    const read = (size: number) => readCheckpoint(folder, { game: { rules: "go", size, komi: 6.5 }, net });
    expect(read(9).learned).toBe(120);
    expect(reasonOf(CheckpointUnusable, () => read(13))).toMatch("name a checkpoint of this game");
  });

  it("fit a game that has got options since: they count as their defaults", () => {
    const folder = join(scratchFolder(), "one");
    const { net } = checkpoint;
    writeCheckpoint(folder, { ...checkpoint, game: { rules: "blokus", scoring: "advanced" } });
    const read = (size: number) =>
      readCheckpoint(folder, {
        game: { rules: "blokus", scoring: "advanced", size, largestPiece: 5 },
        net,
      });
    expect(read(20).learned).toBe(120);
    expect(reasonOf(CheckpointUnusable, () => read(12))).toMatch("name a checkpoint of this game");
  });

  it("are refused where they name no game", () => {
    const folder = join(scratchFolder(), "one");
    writeCheckpoint(folder, { ...checkpoint, game: undefined });
    expect(reasonOf(CheckpointUnusable, () => readCheckpoint(folder, { game, net: checkpoint.net }))).toMatch(
      '"game" is not a game with its rules',
    );
  });

  it("leave the old one whole where the folder cannot be written", () => {
    const scratch = scratchFolder();
    const parent = join(scratch, "checkpoints");
    writeCheckpoint(join(parent, "0000000001"), checkpoint);
    const before = bytesIn(parent);
    // A file where the folder should go: refused for every user, the privileged one too.
    const blocked = join(scratch, "file");
    writeFileSync(blocked, "");
    expect(() => writeCheckpoint(join(blocked, "0000000002"), checkpoint)).toThrow(
      /cannot write .*0000000002/,
    );
    // A read-only stand-in for the temporary folder's contents: the name of a file is taken by a folder.
    const huge = { "net.onnx/deeper": Uint8Array.of(1) };
    expect(() => writeCheckpoint(join(parent, "0000000002"), checkpoint, huge)).toThrow(/cannot write/);
    expect(listCheckpoints(parent).map(({ learned }) => learned)).toEqual([1]);
    expect(new Map([...bytesIn(parent)].filter(([name]) => name.startsWith("/0000000001")))).toEqual(before);
    expect(readCheckpoint(join(parent, "0000000001"))).toEqual(checkpoint);
  });

  it("leave the old one whole where the system lets no more be written", () => {
    const parent = join(scratchFolder(), "checkpoints");
    writeCheckpoint(join(parent, "0000000001"), checkpoint);
    const before = bytesIn(parent);
    const module = new URL("../../../../src/operators/run/weights/checkpoint-files.ts", import.meta.url).href;
    const script = `import { writeCheckpoint } from ${JSON.stringify(module)};
      const tensors = new Map([["weights/w", { shape: [1e6], data: new Float32Array(1e6) }]]);
      try { writeCheckpoint(process.argv[1], { game: {}, net: {}, name: "w", version: 2, learned: 2, unit: "steps", progress: {}, tensors }); }
      catch (error) { console.log(error.name + ": " + error.message); }`;
    const command = 'ulimit -f 1000; exec "$0" --input-type=module -e "$1" "$2"';
    const { stdout } = spawnSync(
      "bash",
      ["-c", command, process.execPath, script, join(parent, "0000000002")],
      {
        encoding: "utf8",
      },
    );
    expect(stdout).toMatch(/^FileNotWritten: cannot write .*larger than the file system or the limits allow/);
    expect(listCheckpoints(parent).map(({ learned }) => learned)).toEqual([1]);
    expect(new Map([...bytesIn(parent)].filter(([name]) => name.startsWith("/0000000001")))).toEqual(before);
  });

  const disk = smallDisk();
  it("leave the old one whole on a full disk, and are written when there is room", ({ skip }) => {
    skip(disk === undefined, "needs the right to mount a small disk");
    const parent = join(disk!, "checkpoints");
    const sized = (kilobytes: number): Checkpoint => {
      const data = new Float32Array(256 * kilobytes).fill(1.5);
      return { ...checkpoint, tensors: new Map([["weights/w", { shape: [data.length], data }]]) };
    };
    writeCheckpoint(join(parent, "0000000001"), sized(300));
    const before = bytesIn(join(parent, "0000000001"));
    expect(() => writeCheckpoint(join(parent, "0000000002"), sized(900))).toThrow(
      /cannot write .*no space left on the device; free some space/,
    );
    expect(bytesIn(join(parent, "0000000001"))).toEqual(before);
    expect(listCheckpoints(parent).map(({ learned }) => learned)).toEqual([1]);
    // Nothing half-written goes on taking up the room.
    writeCheckpoint(join(parent, "0000000002"), sized(300));
    expect(listCheckpoints(parent).map(({ learned }) => learned)).toEqual([1, 2]);
  });

  it("are replaced as a whole when one of the same name is there", () => {
    const folder = join(scratchFolder(), "0000000120");
    writeCheckpoint(folder, checkpoint, { "net.onnx": Uint8Array.of(1) });
    writeCheckpoint(folder, { ...checkpoint, version: 4 });
    expect(readCheckpoint(folder).version).toBe(4);
    expect(readdirSync(folder).toSorted()).toEqual(["checkpoint.json", "state.safetensors"]);
    renameSync(folder, `${folder}-moved`);
    expect(readCheckpoint(`${folder}-moved`).version).toBe(4);
  });
});

describe("what a kill leaves of a checkpoint", () => {
  it("does not count as one, and gives way to the whole one", () => {
    const folder = join(scratchFolder(), checkpointName(120));
    mkdirSync(folder);
    writeFileSync(join(folder, "state.safetensors"), "half");
    expect(holdsCheckpoint(folder)).toBe(false);
    writeCheckpoint(folder, checkpoint);
    expect(holdsCheckpoint(folder)).toBe(true);
    expect(readCheckpoint(folder).tensors.size).toBe(3);
  });

  it("is never a folder with its manifest and without its state: removal renames first", () => {
    const parent = scratchFolder();
    const folder = join(parent, checkpointName(120));
    writeCheckpoint(folder, checkpoint);
    // What an earlier removal has left is in the way of nothing.
    mkdirSync(join(parent, `.${checkpointName(120)}.removed`, "inner"), { recursive: true });
    removeCheckpoint(folder);
    expect(readdirSync(parent)).toEqual([]);
    removeCheckpoint(folder);
  });

  it("is tidied up behind kills: what they have left half written or half removed goes, all else stays", () => {
    const parent = scratchFolder();
    writeCheckpoint(join(parent, checkpointName(40)), checkpoint);
    const others = ["notes", ".notes.part", `.${checkpointName(40)}.parts`];
    for (const name of [...others, `.${checkpointName(80)}.part`, `.${checkpointName(20, true)}.removed`])
      mkdirSync(join(parent, name, "inner"), { recursive: true });
    removeRemains(parent);
    expect(readdirSync(parent).toSorted()).toEqual([checkpointName(40), ...others].toSorted());
    removeRemains(join(parent, "nowhere"));
  });
});

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readMetrics } from "../../../src/events/metrics-file.ts";
import { decodeGameRecord, encodeGameRecord, type GameRecord } from "../../../src/formats/game-records.ts";
import { RecordLogWriter } from "../../../src/formats/record-log-writer.ts";
import { readSafetensors } from "../../../src/formats/safetensors.ts";
import { gamesPath, readLog } from "../../../src/operators/run/run-files.ts";
import { writeReport } from "../../../src/report/report.ts";
import { startRun, tablesExperiment, trainingExperiment, writeExperiment } from "../../graph/tiny-run.ts";
import { textOf } from "../../docs/pages.ts";

// Debian's modules belong to its own Python, which may not be the first one.
const python = ["python3", "/usr/bin/python3"].find(
  (program) => spawnSync(program, ["-c", "import numpy"]).status === 0,
);
const code = [...textOf("docs/python.md").matchAll(/^```python\n(.*?)^```$/gms)].map(([, block]) => block!);

/** What the functions of the page read, as JSON. */
const printing = `
import hashlib
print("READ", json.dumps({
  "events": len(events),
  "rows": table("match-results"),
  "games": [[path, list(games(path))] for path in sorted(glob.glob("runs/**/*.games", recursive=True))],
  "tensors": [[path, {name: [list(array.shape), hashlib.sha256(array.tobytes()).hexdigest()]
    for name, array in tensors(path)[0].items()}]
    for path in sorted(glob.glob("runs/**/*.safetensors", recursive=True))],
}))
`;

interface ReadByPython {
  readonly events: number;
  readonly rows: readonly Record<string, string>[];
  readonly games: readonly (readonly [string, readonly object[]])[];
  readonly tensors: readonly (readonly [string, Record<string, readonly [readonly number[], string]>])[];
}

/** Games that ended otherwise than by being played to their end. */
const special: readonly GameRecord[] = [
  { failure: { seat: 1, message: "it ended with exit code 3" } },
  { dispute: { seat: 0, message: "ten stones, not nine" } },
  { resigned: 1 },
].map((end, game) => ({
  game,
  generation: 300,
  seats: ["one", "日本語"],
  actions: [0, 127, 128, 70_000],
  values: Float64Array.of(0.5, -1e300),
  returns: [0.25, 0.75],
  facts: { b: 2, a: -1 },
  ...end,
}));

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
  for (const [name, text] of [
    ["tables", tablesExperiment],
    ["training", trainingExperiment],
  ] as const) {
    const run = join(folder, "runs", name, "run");
    await startRun(writeExperiment(folder, text, `${name}.yaml`), run);
    writeReport(run);
  }
  const log = RecordLogWriter.open(gamesPath(join(folder, "runs", "tables", "run"), "special"));
  for (const game of special) log.append(encodeGameRecord(game));
  log.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the page on Python", () => {
  it("reads events, tables, games and tensors as ludoflow does", ({ skip }) => {
    skip(python === undefined, "no numpy: Debian's package python3-numpy has it");
    const { status, stderr, stdout } = spawnSync(python!, ["-c", code.join("\n") + printing], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: 1 << 26,
    });
    expect(status, stderr).toBe(0);
    const read = JSON.parse(stdout.split("\nREAD ")[1]!) as ReadByPython;

    const first = join(folder, "runs", "tables", "run");
    expect(stdout.startsWith("runs/tables/run/\n")).toBe(true);
    expect(read.events).toBe(readMetrics(join(first, "metrics.jsonl")).length);
    expect(new Set(read.rows.map((row) => row["experiment"]))).toEqual(
      new Set(["tiny-tables", "tiny-training"]),
    );
    expect(read.rows.every((row) => Number.isFinite(Number(row["mean"])))).toBe(true);

    const files = globSync("runs/**/*.games", { cwd: folder }).toSorted();
    expect(read.games.map(([path]) => path)).toEqual(files);
    for (const [path, games] of read.games)
      expect(games, path).toEqual(readLog(join(folder, path)).map((bytes) => asReported(bytes, path)));
    expect(read.games.flatMap(([, games]) => games).length).toBeGreaterThan(100);

    const checkpoints = globSync("runs/**/*.safetensors", { cwd: folder }).toSorted();
    expect(read.tensors.map(([path]) => path)).toEqual(checkpoints);
    for (const [path, tensors] of read.tensors) {
      const own = [...readSafetensors(join(folder, path)).tensors].map(([name, { data, shape }]) => {
        const bytes = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
        return [name, [[...shape], createHash("sha256").update(bytes).digest("hex")]];
      });
      expect(tensors, path).toEqual(Object.fromEntries(own));
    }
  });

  it("leads to the names of all tensors that checkpoints of tables and nets have", () => {
    const page = textOf("docs/formats.md");
    const names = globSync(`${folder}/runs/**/state.safetensors`).flatMap((path) => [
      ...readSafetensors(path).tensors.keys(),
    ]);
    const kinds = new Set(
      names.map((name) =>
        name
          .replace(/^(optimiser\/)(?:momentum|mean|square|average)\/.*/, "$1SLOT/")
          .replace(/^(?:weights|learned)\/((?:hidden\d|value|policy)\/(?:matrix|bias))$/, "$1"),
      ),
    );
    expect(kinds.size).toBeGreaterThan(6);
    for (const kind of kinds) expect(page, kind).toContain(`\`${kind}\``);
  });
});

/** A stored game in the words of the page. */
function asReported(bytes: Uint8Array, path: string): object {
  const { actions, dispute, failure, resigned, values, ...game } = decodeGameRecord(bytes, basename(path));
  return {
    ...game,
    facts: { ...game.facts },
    actions: [...actions],
    values: [...values],
    ...(failure === undefined ? {} : { failure: [failure.seat, failure.message] }),
    ...(dispute === undefined ? {} : { dispute: [dispute.seat, dispute.message] }),
    ...(resigned === undefined ? {} : { resigned: [resigned, ""] }),
  };
}

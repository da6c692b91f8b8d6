import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { goDialect } from "../../../src/protocols/gtp/go/go.ts";
import { GtpSession } from "../../../src/protocols/gtp/session.ts";
import { Random } from "../../../src/random.ts";
import { bear, isCommand, noise } from "../../protocols/gtp/noise.ts";
import { openForTest } from "../../protocols/gtp/open-for-test.ts";

it("10,000 lines of noise get responses of the protocol's form, and the session goes on", () => {
  const session = new GtpSession({
    dialect: goDialect,
    game: { rules: "go", size: 5 },
    open: openForTest({ use: "random" }),
    seed: 0,
    program: { name: "ludoflow", version: "0" },
    files: {
      read: () => "(;GM[1]SZ[5];B[aa];W[bb])",
      write: () => undefined,
    },
  });
  bear(session, 10_000, Random.named("noise"));
}, 120_000);

it("the program follows bytes of any kind to the end of its input, and exits without complaint", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ludoflow-noise-"));
  const agent = join(folder, "agent.yaml");
  writeFileSync(agent, "game: { rules: go, size: 5 }\nagent: { use: random }\n");
  const bin = join(import.meta.dirname, "../../../bin/ludoflow.js");
  const child = spawn(process.execPath, [bin, "gtp", agent], { cwd: folder, stdio: "pipe" });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const random = Random.named("bytes");
  // Analyses are left to the test above: how many lines they have depends on the time.
  const commands =
    "name play genmove undo komi boardsize clear_board list_stones final_score kgs-rules".split(" ");
  let expected = 0;
  for (const line of noise(1500, commands, random)) {
    if (isCommand(line)) expected++;
    child.stdin.write(`${line}\n`);
    // Bytes that are no UTF-8, and no line end or comment.
    const bytes = Uint8Array.from({ length: 1 + random.below(30) }, () => 0x80 + random.below(0x80));
    child.stdin.write(Buffer.concat([bytes, Buffer.from("\n")]));
    expected++;
  }
  // Longer than any line may be, and in parts.
  for (let part = 0; part < 40; part++) child.stdin.write("y".repeat(1 << 16));
  child.stdin.end("\n7 name");
  expect([await ended, err]).toEqual([0, ""]);
  expect(out.endsWith("? line too long\n\n=7 ludoflow\n\n")).toBe(true);
  expect(out.match(/^[=?]/gm)).toHaveLength(expected + 2);
  rmSync(folder, { recursive: true });
}, 120_000);

// A run with a fleet under random faults: npm run fleet-faults -- [SEED] [FAULTS] [MINUTES]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { underFaults } from "./under-faults.ts";

const [seed = 1, faults = 100, minutes = 30] = process.argv.slice(2).map(Number);
const folder = mkdtempSync(join(tmpdir(), "ludoflow-faults-"));
try {
  const report = await underFaults({
    seed,
    faults,
    folder,
    limitMs: 60_000 * minutes,
    say: (line) => void process.stderr.write(`${line}\n`),
  });
  process.stdout.write(`${JSON.stringify({ seed, ...report }, undefined, 2)}\n`);
  process.exitCode = report.different.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

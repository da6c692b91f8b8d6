// A run beside an observer that keeps 4 MB each second: `node leaking-run.ts FILE OUT`. Prints how it ended as JSON.
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { newRun } from "../../src/graph/start-run.ts";

const [file, out] = process.argv.slice(2) as [string, string];
const run = await newRun(readExperiment(file), { file, set: [] }, { out });
const kept: number[][] = [];
run.observe(
  "leaks",
  ({ type }) => {
    if (type === "machine-flow") kept.push(Array.from<number>({ length: 500_000 }).fill(0.5));
  },
  { flows: true },
);
const ended = await run.start();
console.log(
  JSON.stringify({ outcome: ended.outcome, message: ended.outcome === "failed" ? ended.error.message : "" }),
);

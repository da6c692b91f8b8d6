// A run in a process that keeps .8 MB more each tenth of a second: `node leaking-run.ts FILE OUT`. Prints how it ended as JSON.
import { readExperiment } from "../../src/graph/experiment-file.ts";
import { newRun } from "../../src/graph/start-run.ts";

const [file, out] = process.argv.slice(2) as [string, string];
const run = await newRun(readExperiment(file), { file, set: [] }, { out });
const kept: number[][] = [];
const leak = setInterval(() => kept.push(Array.from<number>({ length: 100_000 }).fill(0.5)), 100);
const ended = await run.start();
clearInterval(leak);
console.log(
  JSON.stringify({ outcome: ended.outcome, message: ended.outcome === "failed" ? ended.error.message : "" }),
);

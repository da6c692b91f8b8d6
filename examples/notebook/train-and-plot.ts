/** Trains 2048's tuple network for a moment, follows its learning curve, plots it, and looks at what was learned. */
import { agent, defineExperiment, openCheckpoint, play, run } from "ludoflow";
import { writeFileSync } from "node:fs";

const experiment = defineExperiment({
  name: "notebook",
  seed: 1,
  game: { rules: 2048, rows: 3, columns: 3 },
  nets: { value: { use: "n-tuple", tuples: "2x6" } },
  agents: { greedy: { use: "greedy", net: "value" } },
  graph: {
    learn: { use: "td-learner", net: "value", games: 2000, every: 200 },
    kept: { use: "checkpoint", from: "learn", keep: 1 },
    curve: { use: "arena", after: "learn", agents: ["greedy"], games: 50 },
  },
});

const curve: [learned: number, score: number][] = [];
const training = await run(experiment, { folder: process.argv[2] ?? "runs/notebook" });
for await (const event of training.events())
  if (event.type === "match") curve.push([event.learned, event.agents[0]!.mean]);
const { checkpoints, report } = await training.result;

const most = Math.max(...curve.map(([, score]) => score));
const points = curve.map(([learned, score]) => `${learned / 4},${310 - (300 * score) / most}`).join(" ");
writeFileSync(
  "curve.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 510 320"><polyline points="${points}" fill="none" stroke="blue"/></svg>`,
);
const net = await openCheckpoint(checkpoints.at(-1)!.path);
const { facts, returns } = await play(net.game, await agent(net.game, { use: "greedy", net }), { seed: 7 });
console.log(`scores ${curve.map(([, score]) => score.toFixed(0)).join(" ")}; one game: ${returns[0]}`, facts);
console.log(`curve.svg and ${report} are written`);

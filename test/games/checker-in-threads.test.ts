import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";
import { type GameConfig, games, openConfiguredGame } from "../../src/games/registry.ts";

/** Makes the games of its data, and posts which files of the checker of schemas have been loaded for that. */
const THREAD = `
import { createRequire } from "node:module";
import { parentPort, workerData } from "node:worker_threads";
const { createGame } = await import(workerData.registry);
for (const { rules, ...options } of workerData.configs) createGame(rules, options);
const loaded = Object.keys(createRequire(workerData.registry).cache);
parentPort.postMessage(loaded.filter((file) => file.includes("/ajv/")).length);
`;

/** How many files of the checker a new thread loads to make these games. */
async function loadedFor(configs: readonly GameConfig[]): Promise<number> {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(THREAD)}`), {
    workerData: { registry: new URL("../../src/games/registry.ts", import.meta.url).href, configs },
  });
  const [count] = (await once(thread, "message")) as [number];
  await thread.terminate();
  return count;
}

it("threads make games of checked options without the checker, which takes longer to load than a game", async () => {
  expect(await loadedFor(games.map(({ name }) => openConfiguredGame(name, {}).config))).toBe(0);
});

it("an option that an earlier run has not stored takes its default from the checker", async () => {
  expect(await loadedFor([{ rules: "go", size: 5 }])).toBeGreaterThan(0);
});

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openGame } from "../../src/games/registry.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";
import { listenForUnrepeatable, type UnrepeatableCall } from "../../src/plugins/watched-globals.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("reports calls of plug-ins once for each place, and not those of other code", () => {
  const calls: UnrepeatableCall[] = [];
  const leave = listenForUnrepeatable((call) => calls.push(call));
  const file = join(scratch, "dice.ts");
  writeFileSync(
    file,
    `import { defineGame, OVER } from "ludoflow";
const { random } = Math;
const bytes = new Uint8Array(4);
export default defineGame({
  name: "dice", description: "One move.", players: 2,
  create: (_, rules) => rules({
    actions: 1,
    initial: () => ({ over: 0, at: new Date(0).getTime() + Math.floor(0.5) }),
    toMove: (state) => (state.over ? OVER : 0),
    legal: (state, out) => { out[0] = 0; return 1 - state.over; },
    play: (state) => { state.over = random() < 2 ? 1 : 0; state.at = performance.now() >= 0 && Date.now() > 0 && crypto.getRandomValues(bytes) === bytes ? 1 : 0; },
    copy: (from, into) => void Object.assign(into, from),
    returns: (_, out) => void out.fill(0),
  }),
});
`,
  );
  loadPlugin(file);
  const game = openGame("dice");
  const state = game.initial() as { at: number };
  expect(state.at).toBe(0);
  for (let n = 0; n < 3; n++) game.play(state, 0);
  expect(state.at).toBe(1);
  Math.random();
  leave();
  expect(calls).toEqual([
    { name: "Math.random", place: `${file}:11:37` },
    { name: "performance.now", place: `${file}:11:82` },
    { name: "Date.now", place: `${file}:11:101` },
    { name: "crypto.getRandomValues", place: `${file}:11:121` },
  ]);
});

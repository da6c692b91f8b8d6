import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { openGame } from "../../src/games/registry.ts";
import { loadPlugin } from "../../src/plugins/load-plugins.ts";
import {
  listenForUnrepeatable,
  type UnrepeatableCall,
  withWatchedGlobals,
} from "../../src/plugins/watched-globals.ts";

const scratch = mkdtempSync(join(tmpdir(), "ludoflow-test-"));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

it("leaves sources alone that use nothing of it, or declare the name themselves", () => {
  for (const source of [
    "const random = Math.floor(3);",
    "const performance = { now: () => 1 }; performance.now();",
    'import { performance } from "node:perf_hooks"; performance.now();',
    "#!/usr/bin/env node\nMath.random();",
  ])
    expect(withWatchedGlobals(source)).toBe(source);
  for (const source of ["const x = Math.random();", "const { random } = Math;", "Date.now?.()"])
    expect(withWatchedGlobals(source)).toMatch(/^const (?:Math|Date)=/);
});

it("tells calls of plug-ins once for each place, and not those of other code", () => {
  const calls: UnrepeatableCall[] = [];
  const leave = listenForUnrepeatable((call) => calls.push(call));
  const file = join(scratch, "dice.ts");
  writeFileSync(
    file,
    `import { defineGame, OVER } from "ludoflow";
export default defineGame({
  name: "dice", description: "One move.", players: 2,
  create: (_, rules) => rules({
    actions: 1,
    initial: () => ({ over: 0, at: new Date(0).getTime() + Math.floor(0.5) }),
    toMove: (state) => (state.over ? OVER : 0),
    legal: (state, out) => { out[0] = 0; return 1 - state.over; },
    play: (state) => { state.over = Math.random() < 2 ? 1 : 0; state.at = performance.now() >= 0 && Date.now() > 0 ? 1 : 0; },
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
    { name: "Math.random", place: `${file}:9:42` },
    { name: "performance.now", place: `${file}:9:87` },
    { name: "Date.now", place: `${file}:9:106` },
  ]);
});

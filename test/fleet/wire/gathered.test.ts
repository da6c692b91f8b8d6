import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import { Gathered } from "../../../src/fleet/wire/gathered.ts";

/** Asks for turns, and notes which have come. */
function noted(gathered: Gathered, names: string, come: string[]): void {
  for (const name of names) void gathered.turn().then(() => come.push(name));
}

it("gives all their turn when this turn of the event loop ends", async () => {
  const [gathered, come] = [new Gathered(0), [] as string[]];
  noted(gathered, "ab", come);
  await Promise.resolve();
  noted(gathered, "c", come);
  expect(come).toEqual([]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(come).toEqual(["a", "b", "c"]);
});

it("gives the turns when so many wait as are asked for, which may change", async () => {
  let most = 3;
  const [gathered, come] = [new Gathered(60_000, () => most), [] as string[]];
  noted(gathered, "ab", come);
  await Promise.resolve();
  expect(come).toEqual([]);
  noted(gathered, "c", come);
  await Promise.resolve();
  expect(come).toEqual(["a", "b", "c"]);
  most = 1;
  noted(gathered, "d", come);
  await Promise.resolve();
  expect(come).toEqual(["a", "b", "c", "d"]);
});

it("lets nobody wait longer than the time that is given", async () => {
  const [gathered, come] = [new Gathered(5, () => 10), [] as string[]];
  noted(gathered, "a", come);
  await Promise.resolve();
  expect(come).toEqual([]);
  await expect.poll(() => come, { timeout: 10_000 }).toEqual(["a"]);
  // The time of those that come later is their own.
  noted(gathered, "b", come);
  await pause(0);
  await expect.poll(() => come, { timeout: 10_000 }).toEqual(["a", "b"]);
});

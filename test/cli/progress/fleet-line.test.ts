import { expect, it } from "vitest";
import { fleetLine } from "../../../src/cli/progress/fleet-line.ts";
import type { FleetFlow } from "../../../src/events/flow-event.ts";

const machine = (name: string, rate: number) => ({ name, places: 4, playing: 3, games: 10, rate });
const flow: FleetFlow = {
  type: "fleet-flow",
  seconds: 1,
  joiners: 0,
  places: 0,
  waiting: 0,
  games: 0,
  machines: [],
  left: [],
};

it("says that nobody has joined, and how many games wait", () => {
  expect(fleetLine(flow)).toBe("fleet       nobody has joined");
  expect(fleetLine({ ...flow, waiting: 7 })).toBe("fleet       nobody has joined, 7 games wait");
});

it("shows machines, places, rates and the busiest machines", () => {
  expect(fleetLine({ ...flow, joiners: 1, places: 4, machines: [machine("lab-07:9", 2.5)] })).toBe(
    "fleet       1 machine  3 of 4 places busy  2.5 games/s  lab-07:9 2.5/s",
  );
  const machines = ["a:1", "b:1", "c:1", "d:1"].map((name) => machine(name, 10));
  expect(fleetLine({ ...flow, joiners: 60, places: 240, machines })).toBe(
    "fleet       60 machines  240 places  40 games/s  a:1 10/s  b:1 10/s  c:1 10/s  ...",
  );
});

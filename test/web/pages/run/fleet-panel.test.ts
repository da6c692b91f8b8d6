import { join } from "node:path";
import { expect, it } from "vitest";
import type { FleetNow } from "../../../../src/web/views/run-views.ts";

type Panel = (props: { readonly fleet: FleetNow; readonly running: boolean }) => unknown;
// Pages have compiler options of their own, so their types are not read here.
const file = join(import.meta.dirname, "../../../../src/web/pages/run/fleet-panel.tsx");
const { FleetPanel } = (await import(file)) as { readonly FleetPanel: Panel };

/** The texts of a part of a page, one for each element that has any. */
function textsOf(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsOf);
  const children = (node as { readonly props?: { readonly children?: unknown } } | null)?.props?.children;
  if (children === undefined) return [];
  const parts = Array.isArray(children) ? (children as unknown[]) : [children];
  const own = parts.filter((part) => typeof part === "string" || typeof part === "number").join("");
  return [...(own.trim() === "" ? [] : [own.trim()]), ...parts.flatMap(textsOf)];
}

const fleet: FleetNow = { joiners: 0, places: 0, waiting: 7, gamesPerSecond: 0, machines: [], left: [] };
const machine = { name: "lab-07:1", places: 8, playing: 6, games: 40, rate: 2 };

it("shows each machine with its games and its rate, and the machines that have left", () => {
  const texts = textsOf(
    FleetPanel({
      fleet: {
        ...fleet,
        joiners: 3,
        places: 24,
        gamesPerSecond: 2.5,
        machines: [machine],
        left: ["lab-02:3"],
      },
      running: true,
    }),
  );
  expect(texts.slice(0, 2)).toEqual(["Fleet", "3 machines, 24 places, 2.5 games/s"]);
  expect(texts.slice(-6)).toEqual(["lab-07:1", "6 of 8", "40", "2.0", "and 2 others", "Left: lab-02:3"]);
});

it("says that nobody is there, and how many games wait for it", () => {
  expect(textsOf(FleetPanel({ fleet, running: true }))).toContain("Nobody has joined, and 7 games wait.");
  expect(textsOf(FleetPanel({ fleet, running: false }))).toContain("Nobody was there at the end.");
});

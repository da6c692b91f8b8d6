import type { Planes } from "../../game.ts";
import type { GoRules } from "../options.ts";
import { alphaGoPlanes, alphaGoValuePlanes } from "./alphago.ts";
import { goCompactPlanes } from "./compact.ts";
import { alphaGoZeroPlanes } from "./zero.ts";
import type { GoState } from "../state.ts";

/** The input planes that nets of Go can choose from, by name. */
export type GoPlanes = Readonly<
  Record<"compact" | "alphago" | "alphago-value" | "alphago-zero", Planes<GoState>>
>;

/** The input planes of a game of Go; the first is the default. */
export function goPlanes(rules: GoRules): GoPlanes {
  return {
    compact: goCompactPlanes(rules),
    alphago: alphaGoPlanes(rules),
    "alphago-value": alphaGoValuePlanes(rules),
    "alphago-zero": alphaGoZeroPlanes(rules),
  };
}

import type { SharedRun } from "../shared-run.ts";
import type { FleetWeights } from "./task-message.ts";

/** What a joiner asks a run beside its tasks. */
export type HelloRequest = { readonly joiner: string; readonly name: string } & (
  | { readonly asks: "run" }
  /** Whether it may play; `bits` as in `ReportSource`. */
  | { readonly asks: "entry"; readonly described: string; readonly bits: Readonly<Record<string, string>> }
  /** To have weights put to the server once more. */
  | { readonly asks: "weights"; readonly weights: FleetWeights }
  /** Nothing: the joiner reports that it cannot play, and why. */
  | { readonly asks: "leave"; readonly why: string }
);

/** The answer of a run. */
export interface HelloAnswer {
  /** Why the joiner may not play, and what to do; absent if it may. */
  readonly refusal?: string;
  /** For "run": what the run is, and the newest weights, to be tried. */
  readonly run?: SharedRun;
  readonly weights?: readonly FleetWeights[];
}

/** What a run answers to a result. */
export interface ResultVerdict {
  /** `leave`: the joiner plays no further game of the run. `bad`: the result was refused. Otherwise it is done. */
  readonly verdict: "taken" | "not wanted" | "bad" | "leave";
  readonly message?: string;
}

/** The key of the bits of a net's weights among those of a joiner. */
export function bitsKey({ net, sha256 }: Pick<FleetWeights, "net" | "sha256">): string {
  return `${net} ${sha256}`;
}

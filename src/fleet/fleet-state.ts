import type { NatsConnection } from "@nats-io/transport-node";
import { isJoinerBeat, isRunBeat, type JoinerBeat, type RunBeat } from "./wire/beats.ts";
import { readJson } from "./wire/json-message.ts";
import { BEAT_MS, joinerBeat, runBeat } from "./wire/subjects.ts";

/** The runs and joiners of a fleet. */
export interface FleetState {
  readonly runs: readonly Omit<RunBeat, "ends" | "leave">[];
  /** The names of joiners that play for no run. */
  readonly idle: readonly string[];
}

/** Listens to the heartbeats of a fleet for a while; returns its runs and idle joiners. */
export async function fleetState(connection: NatsConnection): Promise<FleetState> {
  const runs = new Map<string, RunBeat>();
  const joiners = new Map<string, JoinerBeat>();
  const subscriptions = [
    connection.subscribe(runBeat("*"), {
      callback: (error, { data }) => {
        const beat = error === null ? readJson(data) : undefined;
        // Others may write to these subjects: another version, or a program of another kind.
        if (!isRunBeat(beat)) return;
        if (beat.ends === true) runs.delete(beat.run);
        else runs.set(beat.run, beat);
      },
    }),
    connection.subscribe(joinerBeat("*"), {
      callback: (error, { data }) => {
        const beat = error === null ? readJson(data) : undefined;
        if (isJoinerBeat(beat)) joiners.set(beat.joiner, beat);
      },
    }),
  ];
  await new Promise((resolve) => setTimeout(resolve, 2.5 * BEAT_MS));
  for (const subscription of subscriptions) subscription.unsubscribe();
  return {
    runs: [...runs.values()].map(({ leave: _leave, ...run }) => run),
    idle: [...joiners.values()]
      .filter((each) => each.leaves !== true && Object.keys(each.runs).length === 0)
      .map(({ name }) => name),
  };
}

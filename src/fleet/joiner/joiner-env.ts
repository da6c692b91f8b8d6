import type { JetStreamClient } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import type { JoinerMeans } from "../shared-run.ts";
import type { WeightsCache } from "./weights-cache.ts";
import type { WeightsStore } from "../weights-store.ts";

/** What a joiner shares among the runs that it plays for. */
export interface JoinerEnv {
  readonly connection: NatsConnection;
  readonly js: JetStreamClient;
  readonly store: WeightsStore;
  readonly cache: WeightsCache;
  readonly means: JoinerMeans;
  /** The id of the joiner, and its name for people. */
  readonly joiner: string;
  readonly name: string;
  readonly say: (message: string) => void;
}

import * as Effect from "effect/Effect";
import type { OpenExperiment } from "../../operators/experiment/open-experiment.ts";
import { RunFailed } from "../../operators/run/run-error.ts";
import type { PublishedWeights } from "../../operators/run/weights/net-weights.ts";
import { askRun } from "./ask-run.ts";
import type { JoinerEnv } from "./joiner-env.ts";
import { KeptPromises } from "../kept-promises.ts";
import { netBits } from "../net-bits.ts";
import { bitsKey } from "../wire/hello.ts";
import { PacketInvalid } from "../wire/packet.ts";
import type { FleetWeights } from "../wire/task-message.ts";
import { weightsFrom } from "../wire/weights-bytes.ts";

/** How often weights are asked for before a task is given back. */
const TRIES = 3;

/** The weights of a run on the machine of a joiner, by net and version as tasks name them. */
export class SessionWeights {
  readonly #env: JoinerEnv;
  readonly #run: string;
  readonly #opened: OpenExperiment;
  readonly #named = new Map<string, FleetWeights>();
  readonly #bits = new KeptPromises<string>();

  constructor(env: JoinerEnv, run: string, opened: OpenExperiment) {
    this.#env = env;
    this.#run = run;
    this.#opened = opened;
  }

  /** Notes what the weights of a task are. */
  name(weights: readonly FleetWeights[]): void {
    for (const named of weights) this.#named.set(`${named.net} ${named.version}`, named);
  }

  /** Weights that a task has named. */
  of(net: string, version: number): Effect.Effect<PublishedWeights, RunFailed> {
    return Effect.tryPromise({
      try: async () => {
        const named = this.#named.get(`${net} ${version}`);
        if (named === undefined) throw new Error("no task has named them");
        return await this.#get(named);
      },
      catch: (error) =>
        new RunFailed({
          stage: net,
          reason: `version ${version} of its weights: ${(error as Error).message}`,
        }),
    });
  }

  /** What this machine computes with weights, as `ReportSource` has it. */
  async bits(weights: readonly FleetWeights[]): Promise<Record<string, string>> {
    return Object.fromEntries(
      await Promise.all(weights.map(async (named) => [bitsKey(named), await this.#bitsOf(named)] as const)),
    );
  }

  #bitsOf(named: FleetWeights): Promise<string> {
    return this.#bits.get(bitsKey(named), async () => {
      const weights = await this.#get(named);
      if (weights.kind !== "network") throw new PacketInvalid(`"${named.net}" is not computed`);
      return netBits(this.#opened, named.net, weights.tensors);
    });
  }

  async #get(named: FleetWeights): Promise<PublishedWeights> {
    const { net, sha256: hash } = named;
    for (let tries = 0; ; tries++) {
      const kept = this.#env.cache.read(hash);
      const bytes = kept ?? (await this.#env.store.get(hash));
      if (bytes !== undefined) {
        if (kept === undefined) this.#env.cache.write(hash, bytes);
        return weightsFrom(this.#opened, net, bytes);
      }
      if (tries === TRIES)
        throw new Error("the server has lost them, and the run does not put them there again");
      await askRun(this.#env, this.#run, { asks: "weights", weights: named });
    }
  }
}

import { type Static, Type } from "../../../schema.ts";
import { participantName } from "../../experiment/participant.ts";

/** The setting that lets an agent play its earlier selves. */
export const earlierSchema = Type.Object(
  {
    agent: Type.String({
      description: "The agent whose earlier selves play (one of `agents`, with the net that `after` learns).",
    }),
    every: Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      default: 1,
      description:
        "Number of rounds from one earlier self to the next; 1: every round leaves an earlier self for later rounds.",
    }),
    most: Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 3,
      description: "Maximum number of earlier selves in a round; the latest ones play.",
    }),
  },
  {
    additionalProperties: false,
    description:
      "Lets earlier selves of an agent play in every round: the agent with the weights of earlier rounds. After each round, all versions measured so far are rated. For games of several players; needs `after`.",
  },
);

/** How an agent plays its earlier selves. */
export type EarlierSettings = Static<typeof earlierSchema>;

/**
 * Which earlier selves of an agent play in which round of an arena: those of the latest `most` rounds whose numbers are
 * multiples of `every`. A function of the settings alone.
 */
export class EarlierSelves {
  readonly agent: string;
  /** Maximum number of earlier selves in a round. */
  readonly most: number;
  readonly #every: number;
  /** Trained versions from one round to the next. */
  readonly #between: number;
  readonly #filling: number;

  /**
   * `between` is the number of trained versions from one round to the next, `filling` the number of versions that equal
   * version 0 because a buffer was being filled.
   */
  constructor({ agent, every, most }: EarlierSettings, between: number, filling: number) {
    this.agent = agent;
    this.#every = every;
    this.most = most;
    this.#between = between;
    this.#filling = filling;
  }

  /** The version that a round measures. If the run ends between two rounds, the last round measures a smaller one. */
  version(round: number): number {
    return round === 0 ? 0 : this.#filling + round * this.#between;
  }

  /** The last round, up to a version, that measures a version of its own; negative before the first trained version. */
  roundUpTo(version: number): number {
    return Math.floor((version - this.#filling) / this.#between);
  }

  /** The names of the earlier selves in a round, the latest first. */
  names(round: number): string[] {
    const latest = Math.ceil(round / this.#every) - 1;
    return Array.from({ length: Math.min(this.most, latest + 1) }, (_, i) =>
      participantName({ agent: this.agent, version: this.version((latest - i) * this.#every) }),
    );
  }

  /** Whether a run that continues from version `from` may still play with `version`. */
  needs(version: number, from: number): boolean {
    const round = version === 0 ? 0 : (version - this.#filling) / this.#between;
    if (round < 0 || round % this.#every !== 0) return false;
    // The first round that can still be played after `version` was measured; later rounds play no older versions.
    const next = Math.max(round + 1, Math.ceil(Math.max(0, from - this.#filling) / this.#between));
    return this.names(next).includes(participantName({ agent: this.agent, version }));
  }
}

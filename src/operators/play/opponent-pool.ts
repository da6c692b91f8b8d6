import { type Static, type TObject, Type } from "../../schema.ts";
import type { Random } from "../../random.ts";
import { participantName } from "../experiment/participant.ts";
import type { NeedsVersion } from "../run/weights/version-store.ts";

const pool = {
  share: Type.Number({
    exclusiveMinimum: 0,
    maximum: 1,
    default: 0.2,
    description: "Probability that a game is played against earlier selves.",
  }),
  size: Type.Integer({
    minimum: 1,
    maximum: 1000,
    default: 8,
    description: "Maximum number of versions in the pool. When it is full, the oldest version leaves.",
  }),
  every: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    default: 1,
    description: "Number of versions from one that enters the pool to the next; 1: all versions.",
  }),
};

/** The setting `pool` of self-play. */
export const poolSchema = Type.Optional(
  Type.Object(pool, {
    additionalProperties: false,
    description:
      "Plays a share of the games against a pool of earlier selves: the agent has one drawn seat, the others have it with earlier weights, drawn uniformly. Only its own decisions become examples (Silver et al. 2016; a share of 20%: OpenAI et al. 2019, Dota 2 with large scale deep reinforcement learning).",
  }),
);

/** Settings of a pool of earlier selves. */
export type PoolSettings = Static<TObject<typeof pool>>;

/** The earlier versions in the pool of games whose agent plays with `version`, in ascending order; none at the start. */
export function poolAt({ every, size }: PoolSettings, version: number): number[] {
  const newest = Math.ceil(version / every) - 1;
  const oldest = Math.max(0, newest - size + 1);
  return Array.from({ length: newest - oldest + 1 }, (_, i) => (oldest + i) * every);
}

/** Which versions the pool of a stage needs whose games are played with a version up to `lag` before the newest. */
export function neededByPool(settings: PoolSettings, lag: number): NeedsVersion {
  return (version, from) =>
    version % settings.every === 0 && version >= (poolAt(settings, from - lag)[0] ?? 0);
}

/** The seats of a game: the agent in all of them, or in one against its earlier selves. */
export interface DrawnSeats {
  readonly seats: readonly string[];
  /** The seat of the agent in a game against earlier selves. */
  readonly own?: number | undefined;
}

/** Draws the seats of a game whose agent plays with a version. */
export function drawSeats(
  settings: PoolSettings,
  { agent, players, version }: { readonly agent: string; readonly players: number; readonly version: number },
  random: Random,
): DrawnSeats {
  const versions = poolAt(settings, version);
  if (random.float() >= settings.share || versions.length === 0)
    return { seats: Array.from({ length: players }, () => agent) };
  const own = random.below(players);
  const seats = Array.from({ length: players }, (_, seat) =>
    seat === own ? agent : participantName({ agent, version: versions[random.below(versions.length)]! }),
  );
  return { seats, own };
}

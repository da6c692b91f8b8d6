import { Random } from "../../../src/random.ts";

/** What can happen to a fleet, with how often each is drawn. */
const WEIGHTS = {
  "joiner killed": 3,
  "joiner stopped for a while": 2,
  "joiner asked to end": 1,
  "run killed": 2,
  "run stopped for a while": 1,
  "server killed": 2,
  "joiner partitioned": 2,
  "stream deleted": 1,
  "consumer deleted": 1,
  "bucket deleted": 1,
  "tasks purged": 1,
  "joiner sends rubbish": 1,
  "joiner slow": 1,
  "joiner lies": 1,
  "joiner sends another game": 1,
  "joiner acknowledges and sends nothing": 1,
  "joiner sends results twice": 1,
} as const;

/** The kinds that are a further joiner which behaves badly. */
export const badJoiners: readonly FaultKind[] = [
  "joiner sends rubbish",
  "joiner slow",
  "joiner lies",
  "joiner sends another game",
  "joiner acknowledges and sends nothing",
  "joiner sends results twice",
];

/** A kind of fault. */
export type FaultKind = keyof typeof WEIGHTS;

/** A fault to come. */
export interface Fault {
  readonly kind: FaultKind;
  /** Which joiner: a number that is taken modulo their number. */
  readonly target: number;
  /** Milliseconds: how long what is stopped, cut off or killed stays so. */
  readonly lasts: number;
  /** Milliseconds to wait before it. */
  readonly after: number;
}

/** The longest pause of a stopped or cut-off process: longer than the time after which it counts as gone. */
const LONGEST_MS = 12_000;

/** Draws faults: a function of the seed. The first ones are one of each kind where there are enough of them. */
export function faultPlan(seed: number, count: number, kinds = faultKinds): Fault[] {
  const random = Random.named(seed, "faults");
  const drawn = kinds.flatMap((kind) => Array.from({ length: WEIGHTS[kind] }, () => kind));
  const order = kinds
    .map((kind) => ({ kind, at: random.float() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ kind }) => kind);
  return Array.from({ length: count }, (_, index) => ({
    kind: order[index] ?? drawn[Math.floor(random.float() * drawn.length)]!,
    target: Math.floor(random.float() * 1000),
    // Most pauses are short, few are long.
    lasts: Math.round(LONGEST_MS * random.float() ** 3),
    after: Math.round(300 * random.float()),
  }));
}

/** All kinds of faults. */
export const faultKinds = Object.keys(WEIGHTS) as readonly FaultKind[];

import { ByteReader, ByteWriter } from "./byte-stream.ts";

/** The analysis of one game, decision by decision: a companion of its record, for reports. */
export interface GameAnalysis {
  /** The game's number in its stage. */
  readonly game: number;
  /** The numbers of moves k that `shares` of an opinion are of, increasing. */
  readonly tops: readonly number[];
  /** Decisions of the players, in order, without the moves of an opening. */
  readonly decisions: readonly AnalysedDecision[];
}

/** One decision: its search, and the moves with most visits. */
export interface AnalysedDecision {
  /** Its index in the record's list of actions. */
  readonly ply: number;
  readonly seat: number;
  readonly action: number;
  /** Number of legal actions. */
  readonly legal: number;
  /** Simulations over all legal actions; 0 if the search does not simulate. */
  readonly visits: number;
  /** By seat: the return that the search expects from here on. */
  readonly values: readonly number[];
  /** The net's response to the position before any search; absent if the player has no net with a policy. */
  readonly opinion?: NetOpinion;
  /** By visits, then by prior, then by number: the requested number of moves, always with the move played. */
  readonly moves: readonly AnalysedMove[];
}

/** A net's response to one position, without noise. */
export interface NetOpinion {
  /** By seat: the return that the net expects from here on. */
  readonly values: readonly number[];
  /** Entropy of the policy over the legal actions, in nats. */
  readonly entropy: number;
  /** Rank of the move played in the order of the probabilities of legal actions; 1 is the likeliest. */
  readonly rank: number;
  /** For each of the analysis's `tops` k: the probability of the k likeliest legal actions together. */
  readonly shares: readonly number[];
}

/** One of the moves of a decision. */
export interface AnalysedMove {
  readonly action: number;
  readonly visits: number;
  /** The net's probability for it; NaN if there is no opinion. */
  readonly prior: number;
  /** The expected return of the mover after it; 0 if it was not searched. */
  readonly value: number;
}

/**
 * The bytes of an analysis, for `RecordLogWriter`. Equal analyses give equal bytes.
 *
 * In order, with varints as `byte-stream.ts` has them: game; number of tops and each; number of decisions; of each
 * decision: ply, seat, action, legal, visits, its values, 1 with values, [entropy, shares...] and rank if there is
 * an opinion, else 0; number of moves and their actions and visits, then a list of their priors and one of their values.
 * Lists of real numbers are float32.
 */
export function encodeGameAnalysis({ game, tops, decisions }: GameAnalysis): Uint8Array<ArrayBuffer> {
  const out = new ByteWriter();
  const reals = (numbers: readonly number[]) => out.floats(Float32Array.from(numbers));
  out.varint(game);
  out.varints(tops);
  out.varint(decisions.length);
  for (const { ply, seat, action, legal, visits, values, opinion, moves } of decisions) {
    for (const number of [ply, seat, action, legal, visits]) out.varint(number);
    reals(values);
    out.varint(opinion === undefined ? 0 : 1);
    if (opinion !== undefined) {
      reals(opinion.values);
      reals([opinion.entropy, ...opinion.shares]);
      out.varint(opinion.rank);
    }
    out.varints(moves.flatMap((move) => [move.action, move.visits]));
    reals(moves.map(({ prior }) => prior));
    reals(moves.map(({ value }) => value));
  }
  return out.bytes();
}

/** Reads an analysis; `path` names the file in errors. Throws `FileCorrupt`. */
export function decodeGameAnalysis(bytes: Uint8Array, path: string): GameAnalysis {
  const from = new ByteReader(bytes, path);
  const game = from.varint();
  const tops = [...from.varints()];
  const decisions = Array.from({ length: from.count(8) }, () => readDecision(from));
  from.end();
  return { game, tops, decisions };
}

function readDecision(from: ByteReader): AnalysedDecision {
  const head = Array.from({ length: 5 }, () => from.varint());
  const [ply, seat, action, legal, visits] = head as [number, number, number, number, number];
  const values = [...from.floats()];
  let opinion: NetOpinion | undefined;
  if (from.varint() > 0) {
    const expected = [...from.floats()];
    const [entropy, ...shares] = from.floats();
    opinion = { values: expected, entropy: entropy!, rank: from.varint(), shares };
  }
  const counts = from.varints();
  const priors = from.floats();
  const worths = from.floats();
  if (counts.length !== 2 * priors.length || worths.length !== priors.length)
    from.fail("has lists of moves that do not fit together");
  const moves = Array.from(priors, (prior, i): AnalysedMove => ({
    action: counts[2 * i]!,
    visits: counts[2 * i + 1]!,
    prior,
    value: worths[i]!,
  }));
  return {
    ply,
    seat,
    action,
    legal,
    visits,
    values,
    ...(opinion === undefined ? {} : { opinion }),
    moves,
  };
}

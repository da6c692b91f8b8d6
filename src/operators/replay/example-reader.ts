/** A probability for each of a few actions; all others have 0. */
export interface PolicyTarget {
  /** How many of the entries count. */
  count: number;
  readonly actions: Int32Array;
  readonly weights: Float32Array;
}

/** A target with room for `most` entries. */
export function newPolicyTarget(most: number): PolicyTarget {
  return { count: 0, actions: new Int32Array(most), weights: new Float32Array(most) };
}

/** What of an example is read besides position, values and policy. */
export interface WantedOfExamples {
  /** The policy of the next decision of the game. */
  readonly reply: boolean;
  /** The last state of the game. */
  readonly end: boolean;
}

/** Reads examples; the fields are those of the example read last, in arrays and states that are used again. */
export interface ExampleReader<S> {
  readonly state: S;
  /** What each seat is to earn from the position on, by seat. */
  readonly values: Float32Array;
  readonly policy: PolicyTarget;
  /** 1 where the policy is to be learned, 0 where there is none or it is not. */
  readonly policyWeight: number;
  /** The policy of the next decision, where wanted; no entries where there is none to learn. */
  readonly reply: PolicyTarget;
  /** The game's last state, where wanted. */
  readonly end: S;
  /** Reads example `number` of what a game left behind (see `examplesIn`). */
  read(bytes: Uint8Array, number: number): void;
}

/** A policy target: probabilities of some actions. All other actions have probability 0. */
export interface PolicyTarget {
  /** Number of valid entries. */
  count: number;
  readonly actions: Int32Array;
  readonly weights: Float32Array;
}

/** A target with room for `most` entries. */
export function newPolicyTarget(most: number): PolicyTarget {
  return { count: 0, actions: new Int32Array(most), weights: new Float32Array(most) };
}

/** The further parts of an example that are read, in addition to position, values and policy. */
export interface WantedOfExamples {
  /** The policy of the next decision of the game. */
  readonly reply: boolean;
  /** The last state of the game. */
  readonly end: boolean;
}

/** Reads examples. The fields hold the example read last; the next read overwrites them. */
export interface ExampleReader<S> {
  readonly state: S;
  /** The value target: the return of each seat from the position on. */
  readonly values: Float32Array;
  readonly policy: PolicyTarget;
  /** 1 if the policy is a target, 0 if there is none or it is not one. */
  readonly policyWeight: number;
  /** How much the errors of the example count in the loss; 1 on average. */
  readonly weight: number;
  /** The policy of the next decision, if wanted; no entries if it is not a target. */
  readonly reply: PolicyTarget;
  /** The last state of the game, if wanted. */
  readonly end: S;
  /** Reads example `number` from the examples of a game (see `examplesIn`). */
  read(bytes: Uint8Array, number: number): void;
}

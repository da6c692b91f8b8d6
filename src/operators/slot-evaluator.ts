import type { EvaluationRequest } from "../games/evaluation.ts";
import type { Game, Planes } from "../games/game.ts";
import { ask, type Slot } from "../workers/slots.ts";
import { NetRows } from "./net-rows.ts";

/** Answers the requests of many games through one slot of a batching evaluator; blocks the thread. */
export class SlotEvaluator<S> {
  readonly #slot: Slot;
  readonly #bell: Int32Array;
  readonly #rows: NetRows<S>;
  readonly #requests: EvaluationRequest<S>[] = [];
  readonly #indices: number[] = [];

  constructor(game: Game<S>, planes: Planes<S>, slot: Slot, bell: Int32Array) {
    this.#slot = slot;
    this.#bell = bell;
    this.#rows = new NetRows(game, planes);
  }

  /** Takes in a request; it is answered at the latest by `flush`. */
  add(request: EvaluationRequest<S>): void {
    for (let index = 0; index < request.count; index++) {
      if (this.#requests.length === this.#slot.capacity) this.flush();
      this.#rows.writeFeatures(request.states[index]!, this.#slot.features, this.#requests.length);
      this.#requests.push(request);
      this.#indices.push(index);
    }
  }

  /** Has everything taken in evaluated, and writes the answers. */
  flush(): void {
    const count = this.#requests.length;
    if (count === 0) return;
    ask(this.#slot, count, this.#bell);
    for (let row = 0; row < count; row++)
      this.#rows.readAnswer(
        this.#requests[row]!,
        this.#indices[row]!,
        this.#slot.values,
        this.#slot.policy,
        row,
      );
    this.#requests.length = this.#indices.length = 0;
  }
}

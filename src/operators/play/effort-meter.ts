import type { LimitedDecisions, SeatEffort } from "../../formats/game-efforts.ts";
import type { EvaluationRequest } from "../../games/evaluation.ts";
import type { Search } from "../../search/search.ts";
import type { TimeLimit } from "../../search/time-budget.ts";
import { threadSeconds } from "../../workers/thread-seconds.ts";

/**
 * Measures what the decisions of each seat of one game cost, on the thread that plays it.
 *
 * The time of a search is the processor time of the thread during its decisions. The time of another program is the
 * processor time of its processes from before its first decision to the end of its last one, so thinking in the others'
 * time counts. Reading the clock of a thread takes about 4 us, so in a game of one seat it is read at the begin and at the
 * end only, and the time of playing the moves counts too. A seat that waits for evaluations has the time of its search without
 * the waits, in which the thread plays other games, and the time of the evaluations. Time is not known (NaN) if the system
 * does not report it (Node before 23.9; evaluations on a GPU; another program elsewhere than on Linux).
 */
export class EffortMeter {
  readonly #seats: readonly {
    search: Search<unknown>;
    awaits: boolean;
    decisions: number;
    evaluations: number;
    seconds: number;
    /** The part of its seconds that evaluators took in other threads. */
    evaluatorSeconds: number;
    /** Its seconds when its present decision began. */
    before: number;
    limited: LimitedDecisions | undefined;
  }[];
  /** By program: its processor seconds when it was last read. */
  readonly #programs = new Map<Search<unknown>, number>();
  #mover = 0;
  #begun = 0;

  /** By seat: its search, and whether it waits for evaluations. Of a game that begins now. */
  constructor(seats: readonly { readonly search: Search<unknown>; readonly awaits: boolean }[]) {
    this.#seats = seats.map(({ awaits, search }) => ({
      search,
      awaits,
      decisions: 0,
      evaluations: 0,
      seconds: 0,
      evaluatorSeconds: 0,
      before: 0,
      limited: undefined,
    }));
    this.#begun = threadSeconds();
  }

  /** A seat begins a decision. */
  deciding(mover: number): void {
    this.#mover = mover;
    const seat = this.#seats[mover]!;
    const { search } = seat;
    seat.before = seat.seconds;
    if (search.processorSeconds === undefined) {
      if (this.#readsEach(mover)) this.#begun = threadSeconds();
    } else if (!this.#programs.has(search)) this.#programs.set(search, search.processorSeconds() ?? NaN);
  }

  /** The search of the seat that decides has so many positions evaluated: it waits for the response. */
  evaluates(count: number): void {
    const seat = this.#seats[this.#mover]!;
    seat.evaluations += count;
    if (seat.awaits) seat.seconds += threadSeconds() - this.#begun;
  }

  /** The response is there; it took the processor seconds that it has, if the thread did not compute it within the decision. */
  evaluated({
    evaluatorSeconds = 0,
    seconds = 0,
  }: Pick<EvaluationRequest<unknown>, "evaluatorSeconds" | "seconds">): void {
    const seat = this.#seats[this.#mover]!;
    if (!seat.awaits) return;
    seat.seconds += seconds;
    seat.evaluatorSeconds += evaluatorSeconds;
    this.#begun = threadSeconds();
  }

  /** The seat has made its decision; `limit` is the time limit that ended its search, if one did. */
  decided(limit?: TimeLimit): void {
    const seat = this.#seats[this.#mover]!;
    seat.decisions++;
    if (seat.search.processorSeconds !== undefined) {
      const now = seat.search.processorSeconds() ?? NaN;
      seat.seconds += now - this.#programs.get(seat.search)!;
      this.#programs.set(seat.search, now);
    } else if (this.#readsEach(this.#mover)) seat.seconds += threadSeconds() - this.#begun;
    if (limit === undefined) return;
    const allowed = limit.milliseconds / 1000;
    // A limit of processor time gives the whole of it, also if this meter does not read the clock at each decision.
    const unread = limit.clock === "processor" ? allowed : NaN;
    const got = this.#readsEach(this.#mover) ? seat.seconds - seat.before : unread;
    const { decisions = 0, allowed: before = 0, seconds = 0 } = seat.limited ?? {};
    seat.limited = {
      clock: limit.clock,
      decisions: decisions + 1,
      allowed: before + allowed,
      seconds: seconds + got,
    };
  }

  /** By seat: what the game has cost; to be called once, at its end. */
  end(): SeatEffort[] {
    const [only, ...others] = this.#seats;
    if (others.length === 0 && !this.#readsEach(0) && only!.search.processorSeconds === undefined)
      only!.seconds += threadSeconds() - this.#begun;
    return this.#seats.map(({ awaits, decisions, evaluations, evaluatorSeconds, limited, seconds }) => ({
      decisions,
      evaluations,
      seconds,
      ...(awaits ? { evaluatorSeconds } : {}),
      ...(limited === undefined ? {} : { limited }),
    }));
  }

  /** Whether the clock is read at each decision of a seat. */
  #readsEach(seat: number): boolean {
    return this.#seats.length > 1 || this.#seats[seat]!.awaits;
  }
}

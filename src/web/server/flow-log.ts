import type { RecordedEvent } from "../../events/event.ts";
import type { FlowEvent } from "../../events/flow-event.ts";

/** A flow with its time. */
export type RecordedFlow = Extract<RecordedEvent, FlowEvent>;

/** What has flowed in a run: as recorded, and as its process reports it each second. */
export class FlowLog {
  /** Seconds for which the reports of the process are kept. */
  readonly #kept: number;
  readonly #recorded: RecordedFlow[] = [];
  #seconds: RecordedFlow[] = [];
  /** By stage: the items that it has handed to its readers, as recorded. */
  readonly #handed = new Map<string, number>();

  constructor(kept: number) {
    this.#kept = kept;
  }

  /** All that was recorded. */
  get recorded(): readonly RecordedFlow[] {
    return this.#recorded;
  }

  /** Adds what the run has recorded. */
  record(flow: RecordedFlow): void {
    this.#recorded.push(flow);
    if (flow.type === "stage-flow")
      this.#handed.set(flow.stage, (this.#handed.get(flow.stage) ?? 0) + flow.itemsOut);
  }

  /** Adds a report of its process. */
  receive(flow: RecordedFlow): void {
    this.#seconds.push(flow);
    const { elapsed } = flow;
    if (this.#seconds[0]!.elapsed < elapsed - this.#kept - 60)
      this.#seconds = this.#seconds.filter((each) => each.elapsed > elapsed - this.#kept);
  }

  /** Forgets the reports of its process: no page watches any more. */
  forgetReceived(): void {
    this.#seconds = [];
  }

  /** The flows after a moment, in seconds of the run: those that its process reported each second, and before them those recorded. */
  after(moment: number): RecordedFlow[] {
    const first = this.#seconds[0];
    const begin = first === undefined ? Infinity : first.elapsed - 1;
    // From the end: of a run of days there are many.
    let at = this.#recorded.length;
    while (at > 0 && this.#recorded[at - 1]!.elapsed > moment) at--;
    return [
      ...this.#recorded.slice(at).filter(({ elapsed }) => elapsed <= begin),
      ...this.#seconds.filter(({ elapsed }) => elapsed > moment),
    ];
  }

  /** The items that a stage has handed to its readers, with those that its process has reported since the last record. */
  handedBy(stage: string): number {
    const recorded = this.#recorded.at(-1)?.elapsed ?? 0;
    return this.#seconds.reduce(
      (sum, flow) =>
        flow.type === "stage-flow" && flow.stage === stage && flow.elapsed > recorded
          ? sum + flow.itemsOut
          : sum,
      this.#handed.get(stage) ?? 0,
    );
  }
}

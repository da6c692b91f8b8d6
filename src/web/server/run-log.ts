import type { RecordedEvent } from "../../events/event.ts";
import { isFlow } from "../../events/flow-event.ts";
import { initialState, reduce, type RunState } from "../../events/run-state.ts";
import type { EventLine } from "../views/run-views.ts";
import { eventLine } from "./event-lines.ts";
import { FlowLog } from "./flow-log.ts";

/** Seconds for which flows of a process at work are kept. */
export const FLOWS_S = 600;

/** The events of a run so far, and what is made from them one by one. */
export class RunLog {
  readonly events: RecordedEvent[] = [];
  /** Its checkpoints, kept so that a long run is not searched each second. */
  readonly checkpoints: Extract<RecordedEvent, { type: "checkpoint" }>[] = [];
  readonly lines: EventLine[] = [];
  readonly flows = new FlowLog(FLOWS_S);
  #state: RunState = initialState;

  get state(): RunState {
    return this.#state;
  }

  /** Adds an event of its file. */
  record(event: RecordedEvent): void {
    this.#state = reduce(this.#state, event);
    this.events.push(event);
    if (isFlow(event)) this.flows.record(event);
    else if (event.type === "checkpoint") this.checkpoints.push(event);
    const line = eventLine(event, this.lines.length);
    if (line !== undefined) this.lines.push(line);
  }

  /** Adds an event that its process sent before it is in the file: only the state and the flows of now have it. */
  receive(event: RecordedEvent): void {
    this.#state = reduce(this.#state, event);
    if (isFlow(event)) this.flows.receive(event);
  }
}

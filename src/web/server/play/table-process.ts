import type { AgentSettings } from "../../../protocols/session-agent.ts";
import type { AdviceShown } from "../../views/play-views.ts";
import {
  PlayTable,
  type TableDecision,
  type TableGame,
  type TablePosition,
  type TableSetup,
} from "./table.ts";

/** What the process of a table is asked. `ticket` is repeated in the answer. */
export type TableRequest = { readonly ticket: number } & (
  | { readonly do: "open"; readonly setup: TableSetup }
  | { readonly do: "show"; readonly actions: readonly number[] }
  | { readonly do: "move"; readonly actions: readonly number[]; readonly action: number }
  | { readonly do: "decide"; readonly actions: readonly number[]; readonly settings: AgentSettings }
  | { readonly do: "advise"; readonly actions: readonly number[]; readonly settings: AgentSettings }
);

/** What each request gives. */
export interface TableAnswers {
  readonly open: TableGame;
  readonly show: TablePosition;
  /** null: the move is not legal. */
  readonly move: TablePosition | null;
  readonly decide: TableDecision;
  readonly advise: AdviceShown;
}

/** An answer, or why there is none. */
export type TableReply =
  | { readonly ticket: number; readonly answer: TableAnswers[keyof TableAnswers] }
  | { readonly ticket: number; readonly error: string };

// A table in its own process: a player may think long, and is stopped by ending the process. It ends with the process that
// has started it. Ctrl-C in a terminal reaches both: the server decides.
let table: PlayTable | undefined;
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
process.on("message", (request: TableRequest) => {
  let reply: TableReply;
  try {
    reply = { ticket: request.ticket, answer: answerTo(request) };
  } catch (error) {
    reply = { ticket: request.ticket, error: (error as Error).message };
  }
  process.send!(reply);
});

function answerTo(request: TableRequest): TableAnswers[keyof TableAnswers] {
  if (request.do === "open") {
    table = new PlayTable(request.setup);
    return table.describe();
  }
  const open = table!;
  switch (request.do) {
    case "show":
      return open.show(request.actions);
    case "move":
      return open.move(request.actions, request.action) ?? null;
    case "decide":
      return open.decide(request.actions, request.settings);
    default:
      return open.advise(request.actions, request.settings);
  }
}

import { EMPTY } from "../../../games/go/board.ts";
import { goMoveText } from "../../../games/go/notation/coordinates.ts";
import type { GtpHandler, GtpTable } from "../dialect.ts";
import { GtpError } from "../error.ts";
import { withArguments } from "../handler.ts";
import { leadText } from "../scores.ts";
import { deadStones, goOwnership } from "./status.ts";
import { goViews } from "./views.ts";

/** The statuses of stones and of empty points that `final_status_list` knows. */
const STATUSES = ["alive", "dead", "seki", "black_territory", "white_territory"] as const;

/** Commands about life and final ownership. Playouts decide them, with the same draws for the same position. */
export function goStatusCommands(table: GtpTable): Readonly<Record<string, GtpHandler>> {
  const { board, game, size, state } = goViews(table);
  const ownership = () => goOwnership(game(), state(), table.random("status"));
  return {
    estimate_score: withArguments([], () => {
      const lead = ownership().reduce((sum, share) => sum + Math.sign(share), 0);
      return leadText(lead - game().rules.komi, ["B", "W"]);
    }),
    final_status_list: withArguments(["a status"], ([status]) => statusList(table, status!)),
    "kgs-genmove_cleanup": withArguments(["a colour"], ([colour]) => {
      const seat = table.seat(colour!);
      const dead = deadStones(game(), state(), table.random("status"));
      const { cellOf, pass } = board();
      const left = dead.some((is, point) => is === 1 && state().colour[cellOf[point]!] === 2 - seat);
      return table.genmoveWithout(seat, left ? pass : undefined);
    }),
    "ludoflow-ownership": withArguments([], () => {
      const shares = ownership();
      const row = (number: number) => shares.subarray(number * size(), (number + 1) * size());
      return Array.from({ length: size() }, (_, number) =>
        Array.from(row(number), (share) => share.toFixed(2)).join(" "),
      ).join("\n");
    }),
  };
}

/**
 * The stones with a status, a chain a line, or the empty points of a side in one line. Playouts do not distinguish
 * seki from life.
 */
function statusList(table: GtpTable, status: string): string {
  const known: readonly string[] = STATUSES;
  if (!known.includes(status))
    throw new GtpError(`invalid status "${status}" (known: ${STATUSES.join(", ")})`);
  if (status === "seki") return "";
  if (status === "alive" || status === "dead") return stonesWith(table, status);
  return territory(table, status === "black_territory" ? 1 : -1);
}

function stonesWith(table: GtpTable, status: "alive" | "dead"): string {
  const { board, game, size, state } = goViews(table);
  const { cellOf, points } = board();
  const dead = deadStones(game(), state(), table.random("status"));
  const chains = new Map<number, string[]>();
  for (let point = 0; point < points; point++) {
    const cell = cellOf[point]!;
    const head = state().head[cell]!;
    if (state().colour[cell] === EMPTY || (dead[point] === 1) !== (status === "dead")) continue;
    chains.set(head, [...(chains.get(head) ?? []), goMoveText(size(), point)]);
  }
  return [...chains.values()].map((vertices) => vertices.join(" ")).join("\n");
}

/** The empty points that a side owns in most playouts. */
function territory(table: GtpTable, sign: 1 | -1): string {
  const { board, game, size, state } = goViews(table);
  const { cellOf } = board();
  const shares = goOwnership(game(), state(), table.random("status"));
  return [...shares.keys()]
    .filter((point) => state().colour[cellOf[point]!] === EMPTY && Math.sign(shares[point]!) === sign)
    .map((point) => goMoveText(size(), point))
    .join(" ");
}

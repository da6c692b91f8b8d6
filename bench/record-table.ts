import type { BenchRecord } from "./record.ts";
import type { BenchRow } from "./report.ts";

/** A value as tables show it: with three significant digits. */
function shown(value: number): string {
  return value.toLocaleString("en-US", { maximumSignificantDigits: 3 });
}

const cells = ({ case: what, metric, value, unit, interval, peer }: BenchRow): string[] => [
  what,
  metric,
  `${shown(value)} ${unit}${interval === undefined ? "" : ` [${interval.map(shown).join(", ")}]`}`,
  peer === undefined ? "" : shown(peer.ratio),
  peer === undefined ? "" : `${peer.name} (${shown(peer.value)})`,
];

/** The record of a bench as a table of the documentation; `link` leads to its file. */
export function recordTable({ command, date, machine, rows }: BenchRecord, link: string): string {
  const { processor, cores, node, busy } = machine;
  // Without a peer the last two columns are left out.
  const columns = rows.some(({ peer }) => peer !== undefined) ? 5 : 3;
  const line = (row: readonly string[]) =>
    `| ${row.slice(0, columns).join(" | ")} |`.replaceAll(/ +\|/g, " |");
  return [
    `\`${command}\`, ${date}: ${processor}, ${cores} ${cores === 1 ? "core" : "cores"}, Node ${node}, ${shown(100 * busy)}% busy before it.`,
    `Data: [${link.slice(link.lastIndexOf("/") + 1)}](${link}).`,
    "",
    line(["case", "measured", "figure", "ratio", "beside"]),
    line(Array.from({ length: columns }, () => "---")),
    ...rows.map((row) => line(cells(row))),
  ].join("\n");
}

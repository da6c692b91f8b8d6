import { encodeCsv } from "../../../formats/csv.ts";
import { encodeParquet } from "../../../formats/parquet.ts";
import { buildReport, ofRun, type RunReport } from "../../../report/report.ts";
import { DOCUMENT_POLICY, RequestRefused, send } from "../responses.ts";
import type { Route } from "../route.ts";
import { runFolderAt } from "../run-paths.ts";

/** The report that was made last: its page asks for its tables and games. */
let latest: { readonly folder: string; readonly at: number; readonly report: RunReport } | undefined;
/** A report is made anew after so many milliseconds. */
const FRESH_MS = 10_000;

/**
 * The report of a run as it is now, with its tables and pages of games, at the same addresses as the files that
 * `ludoflow report` writes. Files of the folder are not sent: a stranger may have written them.
 */
export const reportRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/report",
    answer: ({ response, rest, site }) => {
      const end = rest.findLastIndex((part) => ["report.html", "data", "game-pages"].includes(part));
      if (end < 0) throw new RequestRefused(404, "The report of a run ends in report.html.");
      const file = rest.slice(end).join("/");
      const { html, pages, run, tables } = reportOf(runFolderAt(site.folder, rest.slice(0, end)));
      const document = (body: string) =>
        send(response, 200, { body, type: "text/html; charset=utf-8", policy: DOCUMENT_POLICY });
      if (file === "report.html") return document(html);
      const page = pages.find(({ path }) => path === file);
      if (page !== undefined) return document(page.html);
      for (const table of tables) {
        if (file === `data/${table.name}.csv`)
          return send(response, 200, { body: encodeCsv(ofRun(table, run)), type: "text/csv; charset=utf-8" });
        if (file === `data/${table.name}.parquet`)
          return send(response, 200, {
            body: encodeParquet(ofRun(table, run)),
            type: "application/vnd.apache.parquet",
          });
      }
      throw new RequestRefused(404, `The report has no ${file}.`);
    },
  },
];

function reportOf(folder: string): RunReport {
  const now = performance.now();
  if (latest?.folder !== folder || now - latest.at > FRESH_MS)
    latest = { folder, at: now, report: buildReport(folder) };
  return latest.report;
}

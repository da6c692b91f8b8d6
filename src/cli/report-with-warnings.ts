import { writeReport } from "../report/report.ts";

/** Writes the report of a run, and says on standard error what is damaged and left out; returns its path. Throws as `writeReport` does. */
export function writeReportWithWarnings(folder: string): string {
  return writeReport(folder, (damage) =>
    process.stderr.write(`${folder}: damaged, and left out of the report: ${damage}\n`),
  );
}

import { existsSync, mkdirSync, readdirSync, readFileSync, unlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import type { FileCorrupt } from "../formats/files/file-corrupt.ts";
import { writeOwn } from "../formats/files/atomic-file.ts";
import { finiteOrNull } from "../formats/finite-or-null.ts";
import { encodeCsv } from "../formats/csv.ts";
import { writing } from "../formats/files/file-not-written.ts";
import { RecordLogReader } from "../formats/record-log.ts";
import { encodeParquet } from "../formats/parquet.ts";
import type { Table } from "../formats/table.ts";
import { type Content, markup } from "../figures/markup.ts";
import { checkSavedLogs } from "../operators/run/saved-logs.ts";
import { counted } from "../messages/counted.ts";
import { gameTables, recordedLogs } from "./games-table.ts";
import { page } from "./page.ts";
import { type OnDamage, orDamage, readRun, type RunData } from "./run-data.ts";
import { identified, identityOf, mergedByName, type RunIdentity } from "./run-tables.ts";
import type { Figure } from "../figures/figure.ts";
import { figureFile, isFigureFile } from "../figures/figure-file.ts";
import { figuresIn, type FurtherPage, type Section } from "./section.ts";
import { accuracySection } from "./sections/accuracy.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { contestsSection } from "./sections/contests.ts";
import { courseSection } from "./sections/course.ts";
import { diagnosesSection } from "./sections/diagnoses.ts";
import { distributionsSection } from "./sections/distributions.ts";
import { effortSection } from "./sections/effort.ts";
import { equalTimeSection } from "./sections/equal-time.ts";
import { flowsSection } from "./sections/flows.ts";
import { gamesSection } from "./sections/games.ts";
import { headline } from "./sections/headline.ts";
import { learningCurveSection } from "./sections/learning-curve.ts";
import { opponentsSection } from "./sections/opponents.ts";
import { policySection } from "./sections/policy.ts";
import { ownFiguresSection } from "./sections/own-figures.ts";
import { placingsSection } from "./sections/placings.ts";
import { provenanceSection } from "./sections/provenance.ts";
import { reinforcementSection } from "./sections/reinforcement.ts";
import { selfPlaySection } from "./sections/self-play.ts";
import { testSuitesSection } from "./sections/test-suites.ts";
import { trainingSection } from "./sections/training.ts";
import { versionsSection } from "./sections/versions.ts";
import { valueErrorsSection } from "./sections/value-errors.ts";
import { valueMonitorSection } from "./sections/value-monitor.ts";
import { weightCurvesSection } from "./sections/weight-curves.ts";

/** A report: the page, and the tables that its figures show. */
export interface Report {
  /** A whole HTML page in one file; it links to `data/TABLE.csv` and `data/TABLE.parquet` beside it. */
  readonly html: string;
  readonly tables: readonly Table[];
  /** Pages beside it that it links to. */
  readonly pages: readonly FurtherPage[];
  /** Its figures as data, for another page to draw (`drawFigure`), and for `figures/ID.svg`. */
  readonly figures: readonly Figure[];
}

/** The report of a run. */
export interface RunReport extends Report {
  /** Identifies the rows of its tables among those of other runs. */
  readonly run: RunIdentity;
  /** What is damaged in the run's folder, a sentence each; the report is made without it, and says so. */
  readonly damage: readonly string[];
}

/** The sections in the order of the page; one without data is left out. */
const sections: readonly ((run: RunData) => Section | undefined)[] = [
  diagnosesSection,
  versionsSection,
  learningCurveSection,
  opponentsSection,
  contestsSection,
  placingsSection,
  comparisonSection,
  equalTimeSection,
  effortSection,
  distributionsSection,
  policySection,
  accuracySection,
  testSuitesSection,
  gamesSection,
  trainingSection,
  reinforcementSection,
  selfPlaySection,
  valueErrorsSection,
  ownFiguresSection,
  weightCurvesSection,
  valueMonitorSection,
  flowsSection,
  courseSection,
  provenanceSection,
];

/**
 * Makes the report of a run from its folder: `metrics.jsonl`, and `manifest.json`, `experiment.yaml` and analysed games
 * if they exist.
 *
 * A function of these files alone; works while the run is at work. What is damaged is left out, and the report says so.
 * Throws `FileCorrupt` if the folder is not that of a run that this program reads.
 */
export function buildReport(runFolder: string): RunReport {
  const damage = new Set<string>();
  const onDamage = ({ path, what }: FileCorrupt) => void damage.add(`${relative(runFolder, path)} ${what}`);
  const run = readRun(runFolder, onDamage);
  for (const log of recordedLogs(runFolder)) isWhole(log, onDamage);
  orDamage(() => checkSavedLogs(runFolder, { onDamage }), onDamage);
  const shown = sections.flatMap((section) => orDamage(() => section(run), onDamage) ?? []);
  return {
    damage: [...damage],
    html: page(run.name, [headline(run), damageNote([...damage])], shown),
    tables: mergedByName(shown.flatMap(({ tables }) => tables)),
    pages: shown.flatMap(({ pages }) => pages ?? []),
    run: identityOf(run),
    figures: shown.flatMap(({ body }) => figuresIn(body)),
  };
}

/** Whether a log of games can be read; `onDamage` is called if it is damaged. */
function isWhole(log: string, onDamage: OnDamage = () => undefined): boolean {
  return (
    orDamage(() => {
      new RecordLogReader(log).close();
      return true;
    }, onDamage) ?? false
  );
}

/** Maximum number of damaged parts listed. */
const MOST_LISTED = 10;

/** Says that a run is damaged, and what is left out of its report. */
function damageNote(damage: readonly string[]): Content {
  if (damage.length === 0) return undefined;
  const more = damage.length - MOST_LISTED;
  return markup`<aside class="damage" role="note"><p><b>This run is damaged.</b> This report leaves out:</p>
<ul>${damage.slice(0, MOST_LISTED).map((each) => markup`<li>${each}</li>`)}${more > 0 ? markup`<li>and ${counted(more, "more part")}</li>` : undefined}</ul></aside>
`;
}

/** A figure, and the heading of its section in the report. */
export interface PlacedFigure {
  readonly section: string;
  readonly figure: Figure;
}

/** Sections that have no figures; one of them reads all recorded games. */
const withoutFigures = new Set([gamesSection, provenanceSection]);

/** The figures of a run's report as data, in its order, without drawing them. Reads no recorded games. */
export function reportFigures(run: RunData): PlacedFigure[] {
  return sections
    .filter((section) => !withoutFigures.has(section))
    .flatMap((section) => section(run) ?? [])
    .flatMap(({ body, heading }) => figuresIn(body).map((figure) => ({ section: heading, figure })));
}

/**
 * Writes `report.html`, the pages of games and `data/` into a run's folder; returns the path of the page. `data/` also has the
 * recorded games, only as Parquet. `onDamage` gets what is damaged and left out. Throws `FileCorrupt`, `FileNotWritten`.
 */
export function writeReport(runFolder: string, onDamage: (damage: string) => void = () => undefined): string {
  const { damage, run, tables, ...report } = buildReport(runFolder);
  damage.forEach(onDamage);
  const path = writePages(runFolder, { ...report, tables: tables.map((table) => ofRun(table, run)) });
  const logs = recordedLogs(runFolder).filter((log) => isWhole(log));
  for (const table of gameTables(logs))
    writeOwn(join(runFolder, "data", `${table.name}.parquet`), encodeParquet(identified(table, run)));
  return path;
}

/** A table as its files have it: with columns that identify its run, and null for numbers that are not finite. */
export function ofRun(table: Table, run: RunIdentity): Table {
  const { columns, rows } = identified(table, run);
  return {
    ...table,
    columns,
    rows: [...rows].map((row) => row.map((cell) => (typeof cell === "number" ? finiteOrNull(cell) : cell))),
  };
}

/**
 * Writes a report into a folder, which is made: `report.html`, further pages, `data/` and `figures/`; returns the path of the page.
 * Throws `FileNotWritten`.
 */
export function writePages(folder: string, { figures, html, pages, tables }: Report): string {
  const data = join(folder, "data");
  writing(data, () => mkdirSync(data, { recursive: true }));
  for (const table of tables) {
    writeOwn(join(data, `${table.name}.csv`), encodeCsv(table));
    writeOwn(join(data, `${table.name}.parquet`), encodeParquet(table));
  }
  writeFigures(join(folder, FIGURES), figures);
  for (const further of pages) {
    const path = join(folder, further.path);
    writing(path, () => mkdirSync(dirname(path), { recursive: true }));
    writeOwn(path, further.html);
  }
  const path = join(folder, "report.html");
  writeOwn(path, html);
  return path;
}

/** The folder of a report's figures for papers. */
const FIGURES = "figures";

/** Writes figures as SVG. Those of an earlier report that this one lacks are removed. */
function writeFigures(folder: string, figures: readonly Figure[]): void {
  const files = new Map(figures.map((figure) => [`${figure.id.replaceAll(/[^\w.-]/g, "_")}.svg`, figure]));
  for (const name of figureFilesIn(folder))
    if (!files.has(name)) writing(folder, () => unlinkSync(join(folder, name)));
  if (figures.length === 0) return;
  writing(folder, () => mkdirSync(folder, { recursive: true }));
  for (const [name, figure] of files) writeOwn(join(folder, name), figureFile(figure));
}

/** The names of the files of figures in a folder that reports have written. */
function figureFilesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".svg"))
    .map(({ name }) => name)
    .filter((name) => writing(folder, () => isFigureFile(readFileSync(join(folder, name), "utf8"))));
}

/** What a command says of the figures that it has written beside a page: a line; empty if there are none. */
export function figuresText(page: string): string {
  const folder = join(dirname(page), FIGURES);
  const { length } = figureFilesIn(folder);
  return length === 0
    ? ""
    : `${counted(length, "figure")} for papers: ${join(relative(".", folder), "*.svg")}\n`;
}

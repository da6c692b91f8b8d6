import { markup } from "../../figures/markup.ts";
import { page } from "../../report/page.ts";
import type { Figure } from "../../figures/figure.ts";
import type { Report } from "../../report/report.ts";
import { figuresIn } from "../../report/section.ts";
import type { Comparison } from "./comparison.ts";
import { comparisonHeadline, comparisonSections } from "./comparison-sections.ts";

/** The report of a comparison, in the manner of a run's report. */
export function comparisonReport(comparison: Comparison): Report {
  const sections = comparisonSections(comparison);
  const title = `${comparison.runs.length} runs compared`;
  return {
    html: page(
      title,
      comparisonHeadline(title, comparison),
      sections,
      markup`the <code>metrics.jsonl</code> of the runs`,
    ),
    tables: sections.flatMap(({ tables }) => tables),
    pages: [],
    figures: sections.flatMap(({ body }) => figuresIn(body)),
  };
}

/** A figure of a comparison, and the stage and the agent that it is about. */
export interface ComparisonFigure {
  readonly section: string;
  readonly figure: Figure;
}

/** The figures of a comparison's report as data, in its order, with all groups: the drawing can choose some. */
export function comparisonFigures(comparison: Comparison): ComparisonFigure[] {
  return comparisonSections(comparison, Infinity).flatMap(({ body, heading }) =>
    figuresIn(body).map((figure) => ({ section: heading, figure })),
  );
}

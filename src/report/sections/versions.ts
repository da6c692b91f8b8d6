import type { RatedVersion } from "../../events/event.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import { participantNamed } from "../../operators/experiment/participant.ts";
import type { LineSeries, Point } from "../../figures/charts/line-chart.ts";
import { type AgentStyles, agentStyles, learnedLabel, learnedText } from "../matches.ts";
import { type Markup, markup } from "../../figures/markup.ts";
import { fixed } from "../../figures/number-text.ts";
import { type EventOf, eventsOf, grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";

/** Ratings of the versions of an agent, after the last round of a stage. */
export type VersionsRated = EventOf<"version-ratings">;

/** Elo of an agent's versions over learning, by their games against each other, with 95% bands. */
export function versionsSection(run: RunData): Section | undefined {
  const last = grouped(eventsOf(run, "version-ratings"), ({ stage }) => stage)
    .map(([, rated]) => rated.at(-1)!)
    .filter(({ versions }) => versions.length > 1);
  if (last.length === 0) return undefined;
  const table = versionsTable(last);
  const styles = agentStyles(run);
  return {
    id: "versions",
    heading: "Elo over versions",
    body: last.map((rated) => [
      markup`<p>${rated.stage}: ${lastVersionText(rated)}.${gainText(rated)}</p>`,
      versionsFigure(rated, table, styles),
    ]),
    tables: [table],
  };
}

/** How strong the last version is: `version 12 of player is 310 Elo (95% interval 250 to 370) above version 0`. */
export function lastVersionText({ agent, versions }: VersionsRated): Markup {
  const [first, last] = [versions[0]!, versions.at(-1)!];
  const sign = last.elo < 0 ? -1 : 1;
  const [low, high] = last.interval.map((end) => fixed(sign * end, 0));
  const interval = sign < 0 ? `${high} to ${low}` : `${low} to ${high}`;
  return markup`version ${last.version} of <i>${agent}</i> is <b>${fixed(sign * last.elo, 0)} Elo (95% interval ${interval}) ${sign < 0 ? "below" : "above"}</b> version ${first.version}`;
}

/** What the test of `until` says, if there is one. */
function gainText({ agent, until }: VersionsRated): string {
  if (until === undefined) return "";
  const { bounds, gain, games, ratio, verdict, versions } = until;
  const said =
    verdict === "no gain"
      ? `so ${agent} gains nothing any more, and learning ends`
      : verdict === "gain"
        ? `so ${agent} still gains`
        : "so the test is undecided";
  return ` By ${fixed(games, 0)} games against its self of ${fixed(versions, 0)} ${versions === 1 ? "round" : "rounds"} before, the log likelihood ratio of a gain of ${fixed(gain, 0)} Elo to none is ${fixed(ratio, 2)} (bounds ${fixed(bounds[0], 2)} and ${fixed(bounds[1], 2)}), ${said}.`;
}

function versionsFigure(rated: VersionsRated, table: Table, styles: AgentStyles): Markup {
  const { agent, others, stage, unit, versions } = rated;
  const title = `Elo over versions: ${stage}`;
  const learned = new Map(versions.map(({ version, learned: x }) => [version, x]));
  const ends = [versions[0]!.learned, versions.at(-1)!.learned];
  const placeText = (x: number) => {
    const version = versions.find((each) => each.learned === x)?.version;
    const place = learnedText({ learned: x, unit });
    return version === undefined ? place : `${place} (version ${version})`;
  };
  const own: LineSeries = {
    label: agent,
    style: styles(agent),
    points: versions.map((each) => ({ ...versionPoint(each), at: placeText(each.learned) })),
  };
  const more = grouped(others, ({ participant }) => participantNamed(participant).agent).map(
    ([name, ratings]): LineSeries => ({
      label: name,
      style: styles(name),
      points: ratings.flatMap(({ elo, interval: [low, high], participant }) => {
        const { version } = participantNamed(participant);
        // An agent that does not learn is equally strong throughout.
        const places = version === undefined ? ends : [learned.get(version) ?? NaN];
        return places.map((x): Point => ({ x, y: elo, low, high, at: placeText(x) }));
      }),
    }),
  );
  const constant = others.filter(({ participant }) => participantNamed(participant).version === undefined);
  return figureMarkup({
    id: `versions-${slug(stage)}`,
    title,
    caption: `Rating of each measured version of ${agent}, relative to version ${versions[0]!.version}, by the games of all rounds together (model of Bradley and Terry). Bands are 95% confidence intervals of the difference to version ${versions[0]!.version}.${constant.length === 0 ? "" : ` Level lines: ${constant.map(({ participant }) => participant).join(", ")}, which ${constant.length === 1 ? "does" : "do"} not learn.`}`,
    table,
    chart: {
      kind: "lines",
      description: `The rating in Elo of ${fixed(versions.length, 0)} versions of ${agent} with 95% confidence bands against ${learnedLabel(unit).toLowerCase()}, from ${fixed(versions[0]!.elo, 0)} to ${fixed(versions.at(-1)!.elo, 0)}.`,
      xLabel: learnedLabel(unit),
      yLabel: "Elo",
      series: [own, ...more],
    },
  });
}

function versionPoint({ elo, interval: [low, high], learned }: RatedVersion): Point {
  return { x: learned, y: elo, low, high };
}

function versionsTable(all: readonly VersionsRated[]): Table {
  return {
    name: "version-ratings",
    title: "Rating in Elo relative to the oldest version, by the games of all rounds, with its 95% interval",
    ...tabulated(
      all.flatMap(({ agent, others, stage, versions }) => [
        ...versions.map((rated) => ({ ...rated, agent, stage })),
        ...others.map(({ participant, ...rated }) => {
          const { agent: name, version } = participantNamed(participant);
          const learned = versions.find((each) => each.version === version)?.learned;
          return { ...rated, agent: name, stage, version, learned };
        }),
      ]),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("agent", ({ agent }) => agent),
        column.integer("version", ({ version }) => version),
        column.integer("learned", ({ learned }) => learned),
        column.integer("games", ({ games }) => games),
        column.estimate("elo", ({ elo, interval }) => ({ value: elo, interval })),
      ],
    ),
  };
}

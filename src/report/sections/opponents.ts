import type { ShareOfGames } from "../../events/event.ts";
import { column, type Table, tabulated } from "../../formats/table.ts";
import type { AgentConfig } from "../../operators/experiment/open-experiment.ts";
import { experimentSettings } from "../experiment-settings.ts";
import { type AgentStyles, agentStyles, lastMatches, learnedText, type Match } from "../matches.ts";
import { fixed, readable } from "../../figures/number-text.ts";
import { grouped, type RunData } from "../run-data.ts";
import { figureMarkup, type Section, slug } from "../section.ts";

/** One agent against opponents with larger and larger search budgets in all other seats. */
export function opponentsSection(run: RunData): Section | undefined {
  const agents = experimentSettings(run)?.agents ?? {};
  const played = lastMatches(run).flatMap((match) => encounters(match, agents));
  // Of two matches of the same agents the later one counts.
  const latest = [
    ...new Map(played.map((each) => [JSON.stringify([each.agent, each.opponent]), each])).values(),
  ];
  const ladders = grouped(latest, ({ agent, kind, unit }) => JSON.stringify([agent, kind, unit]))
    .map(([, ladder]) => ladder.toSorted((a, b) => a.budget - b.budget))
    .filter((ladder) => new Set(ladder.map(({ budget }) => budget)).size > 1);
  if (ladders.length === 0) return undefined;
  const table = tableOf(ladders.flat());
  const styles = agentStyles(run);
  return {
    id: "opponents",
    heading: "Against stronger opponents",
    body: ladders.map((ladder) => ladderFigure(ladder, table, styles)),
    tables: [table],
  };
}

/** One agent alone at a table with one opponent in all the other seats. */
interface Encounter {
  readonly match: Match;
  readonly agent: string;
  readonly opponent: string;
  /** The kind of search that the opponent is. */
  readonly kind: string;
  /** Its search budget. */
  readonly budget: number;
  readonly unit: "simulations" | "milliseconds";
  /** The agent's own search budget, if it has the same unit. */
  readonly own: number | undefined;
  readonly fair: number;
  readonly wins: ShareOfGames;
}

function encounters(match: Match, configs: Readonly<Record<string, AgentConfig>>): Encounter[] {
  return (match.contest?.lineups ?? []).flatMap(({ agents }) => {
    const [one, other] = agents.toSorted((a, b) => a.seats - b.seats);
    if (agents.length !== 2 || one === undefined || other === undefined || one.seats !== 1) return [];
    return [
      ...encounter(match, one, other, configs),
      // At a table of two, each agent is alone.
      ...(other.seats === 1 ? encounter(match, other, one, configs) : []),
    ];
  });
}

function encounter(
  match: Match,
  { agent, seats, wins }: { readonly agent: string; readonly seats: number; readonly wins: ShareOfGames },
  other: { readonly agent: string; readonly seats: number },
  configs: Readonly<Record<string, AgentConfig>>,
): Encounter[] {
  const opponent = configs[other.agent];
  const budget = budgetOf(opponent);
  if (opponent === undefined || budget === undefined) return [];
  const own = budgetOf(configs[agent]);
  return [
    {
      match,
      agent,
      opponent: other.agent,
      kind: opponent.use,
      budget: budget.size,
      unit: budget.unit,
      own: own?.unit === budget.unit ? own.size : undefined,
      fair: seats / (seats + other.seats),
      wins,
    },
  ];
}

function budgetOf(config: AgentConfig | undefined): { size: number; unit: Encounter["unit"] } | undefined {
  for (const unit of ["milliseconds", "simulations"] as const) {
    const size = config?.[unit];
    if (typeof size === "number" && size > 0) return { size, unit };
  }
  return undefined;
}

function ladderFigure(ladder: readonly Encounter[], table: Table, styles: AgentStyles) {
  const { agent, fair, kind, match, own, unit } = ladder[0]!;
  const title = `${agent} against ${kind} with more and more ${unit}`;
  const learned = match.learned > 0 ? `, after ${learnedText(match)} learned` : "";
  const what = own === undefined ? "" : ` ${agent} itself has ${fixed(own, 0)} ${unit} a move.`;
  const times = (budget: number) =>
    own === undefined ? fixed(budget, 0) : `${fixed(budget, 0)} (×${readable(budget / own)})`;
  return figureMarkup({
    id: `opponents-${slug(`${agent} ${kind} ${unit}`)}`,
    title,
    caption: `Share of games won by ${agent}, alone at the table with ${kind} in all the other seats${learned}, by the opponents' ${unit} a move.${what} Whiskers are 95% confidence intervals; the dashed level is the share among equals.`,
    table,
    chart: {
      kind: "lines",
      description: `The share of games that ${agent} won, with its 95% interval, against opponents with ${ladder.map(({ budget }) => fixed(budget, 0)).join(", ")} ${unit}.`,
      xLabel: `Opponents' ${unit} a move`,
      yLabel: "Share of games won",
      yShare: true,
      whiskers: true,
      xTicks: ladder.map(({ budget }) => ({ x: Math.log2(budget), text: times(budget) })),
      reference: { y: fair, label: "equal players" },
      series: [
        {
          label: agent,
          style: styles(agent),
          points: ladder.map(({ budget, wins: { interval, value } }) => ({
            x: Math.log2(budget),
            y: value,
            low: interval[0],
            high: interval[1],
          })),
        },
      ],
      height: 240,
    },
  });
}

function tableOf(encountered: readonly Encounter[]): Table {
  return {
    name: "against-opponents",
    title:
      "Share of games won by an agent alone at the table, by the search budget of its opponents, with its 95% interval; fair is the share among equals",
    ...tabulated(encountered, [
      column.text("stage", ({ match }) => match.stage),
      column.integer("learned", ({ match }) => match.learned),
      column.text("agent", ({ agent }) => agent),
      column.number("own budget", ({ own }) => own),
      column.text("opponent", ({ opponent }) => opponent),
      column.number("budget", ({ budget }) => budget),
      column.text("unit", ({ unit }) => unit),
      column.integer("games", ({ wins }) => wins.games),
      column.estimate("won", ({ wins }) => wins, { share: true }),
      column.number("fair", ({ fair }) => fair, { share: true }),
    ]),
  };
}

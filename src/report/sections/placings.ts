import type { Cell, Table } from "../../formats/table.ts";
import { chiSquareTest } from "../../stats/chi-square.ts";
import { type Estimate, pairedGain } from "../../stats/intervals.ts";
import { markup } from "../../figures/markup.ts";
import { agentStyles, lastMatches, type Match } from "../matches.ts";
import type { RunData } from "../run-data.ts";
import { unpivoted } from "../unpivoted.ts";
import { figureMarkup, type Section, tableMarkup } from "../section.ts";

/** Two agents with one seat each in every game of a match, and their returns, game by game. */
interface Duel {
  readonly stage: string;
  readonly players: number;
  readonly agents: readonly [string, string];
  readonly returns: readonly [readonly number[], readonly number[]];
}

/**
 * Places that two agents took beside each other in games of ranks: totals of returns, counts of places with the
 * chi-square test, and the mean difference (tables 2 to 8 of Tsubokura and Nishino). For matches in which two agents had
 * one seat each in the same games, and returns are as many values as there are players.
 */
export function placingsSection(run: RunData): Section | undefined {
  const duels = lastMatches(run).flatMap((match) => duelOf(match) ?? []);
  if (duels.length === 0) return undefined;
  const values = [...new Set(duels.flatMap(({ returns }) => returns.flat()))].sort((a, b) => a - b);
  const totals = totalsTable(duels);
  const places = placesTable(duels, values);
  const tests = testsTable(duels, values);
  const styles = agentStyles(run);
  const title = "Mean difference of returns";
  return {
    id: "placings",
    heading: "Places",
    body: [
      markup`<p>Two agents in one seat each, other agents in the rest. Places are listed from the last to the first. Pearson's test of homogeneity asks whether the places of both agents follow one distribution.</p>`,
      figureMarkup({
        id: "placings-gain",
        title,
        caption:
          "Return of the first agent minus that of the second in the same games: mean of the differences, with its 95% confidence interval (Student's t).",
        table: tests,
        chart: {
          kind: "intervals",
          description: "The mean difference of returns of each pair of agents, with its interval.",
          xLabel: "Difference of returns",
          reference: 0,
          rows: duels.map((duel) => ({
            label: `${duel.agents[0]} over ${duel.agents[1]}`,
            style: styles(duel.agents[0]),
            estimate: gain(duel),
          })),
        },
      }),
      tableMarkup(totals),
      tableMarkup(places),
      tableMarkup(tests),
    ],
    tables: [
      unpivoted(totals, { keys: 1, name: "against", value: "total" }),
      unpivoted(places, { keys: 3, name: "place", value: "times" }),
      tests,
    ],
  };
}

function duelOf({ agents, contest, stage }: Match): Duel | undefined {
  if (contest === undefined || contest.players < 3) return undefined;
  const { games, players, standings } = contest;
  const one = standings.filter(
    ({ fair, wins }) => wins.games === games && Math.abs(fair * players - 1) < 1e-9,
  );
  const [a, b] = one.map(({ agent }) => agents.find((result) => result.agent === agent));
  if (one.length !== 2 || a === undefined || b === undefined) return undefined;
  if (a.returns.length !== b.returns.length || a.returns.length < 2) return undefined;
  if (new Set([...a.returns, ...b.returns]).size > players) return undefined;
  return { stage, players, agents: [a.agent, b.agent], returns: [a.returns, b.returns] };
}

const gain = ({ returns }: Duel): Estimate => pairedGain(returns[0], returns[1]);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Table 2: the sum of returns of the agent of the row, in games with the agent of the column. */
function totalsTable(duels: readonly Duel[]): Table {
  const names = [...new Set(duels.flatMap(({ agents }) => agents))];
  const total = (own: string, other: string): Cell => {
    const found = duels.flatMap(({ agents, returns }) =>
      [0, 1].flatMap((i) => (agents[i] === own && agents[1 - i] === other ? [sum(returns[i]!)] : [])),
    );
    return found.length === 0 ? null : sum(found);
  };
  return {
    name: "placings-totals",
    title: "Sum of returns of the agent of the row, beside the agent of the column",
    columns: [{ name: "agent", type: "text" }, ...names.map((name) => ({ name, type: "number" as const }))],
    rows: names.map((own) => [own, ...names.map((other) => total(own, other))]),
  };
}

/** Tables 3 to 8. */
function placesTable(duels: readonly Duel[], values: readonly number[]): Table {
  const players = Math.max(...duels.map((duel) => duel.players));
  const label = (value: number, i: number) =>
    values.length === players ? `place ${values.length - i}` : `return ${value}`;
  return {
    name: "placings-counts",
    title: "How often each agent took each place, the last place first",
    columns: [
      { name: "stage", type: "text" },
      { name: "agent", type: "text" },
      { name: "games", type: "integer" },
      ...values.map((value, i) => ({ name: label(value, i), type: "integer" as const })),
    ],
    rows: duels.flatMap((duel) =>
      duel.agents.map((agent, i) => [
        duel.stage,
        agent,
        duel.returns[i]!.length,
        ...countsOf(duel.returns[i]!, values),
      ]),
    ),
  };
}

function countsOf(returns: readonly number[], values: readonly number[]): number[] {
  return values.map((value) => returns.filter((each) => each === value).length);
}

function testsTable(duels: readonly Duel[], values: readonly number[]): Table {
  return {
    name: "placings-tests",
    title: "Chi-square test of the places of two agents, and the mean difference of their returns",
    columns: [
      { name: "stage", type: "text" },
      { name: "agent", type: "text" },
      { name: "against", type: "text" },
      { name: "statistic", type: "number" },
      { name: "degrees", type: "integer" },
      { name: "p", type: "number" },
      { name: "below .005", type: "text" },
      { name: "gain", type: "number" },
      { name: "gain low", type: "number" },
      { name: "gain high", type: "number" },
    ],
    rows: duels.map((duel) => {
      const { statistic, degrees, p } = chiSquareTest(duel.returns.map((own) => countsOf(own, values)));
      const { value, interval } = gain(duel);
      return [
        duel.stage,
        ...duel.agents,
        statistic,
        degrees,
        p,
        p < 0.005 ? "yes" : "no",
        value,
        ...interval,
      ];
    }),
  };
}

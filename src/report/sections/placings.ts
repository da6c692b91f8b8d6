import { column, type Table, tabulated } from "../../formats/table.ts";
import { Random } from "../../random.ts";
import { chiSquareTest } from "../../stats/chi-square.ts";
import { exchangeTest } from "../../stats/exchange-test.ts";
import { type Estimate, pairedGain } from "../../stats/intervals.ts";
import { markup } from "../../figures/markup.ts";
import { agentStyles, lastMatches, type Match } from "../matches.ts";
import type { RunData } from "../run-data.ts";
import { unpivoted } from "../unpivoted.ts";
import { figureMarkup, type Section, tableMarkup } from "../section.ts";

/** Two agents with one seat each in every game of a match, and their returns, deal by deal. */
interface Duel {
  readonly stage: string;
  readonly players: number;
  readonly agents: readonly [string, string];
  /** By agent: its return in each deal; games are deals if a match is not of several. */
  readonly returns: readonly [readonly number[], readonly number[]];
  /** What may be exchanged as a whole: games with equal cards, matches of several deals, else single games. */
  readonly unit: "deals" | "matches" | "games";
  /** By deal: the number of its unit, from 0. */
  readonly unitOf: readonly number[];
}

/**
 * Places that two agents took beside each other in games of ranks: totals of returns, counts of places with the
 * chi-square test and tests by permutation, and the mean difference (tables 2 to 8 of Tsubokura and Nishino). For matches
 * in which two agents had one seat each in the same games, and returns are as many values as there are players. A match of
 * several deals counts deal by deal.
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
      markup`<p>Two agents in one seat each, other agents in the rest. Places are listed from the last to the first. Pearson's test of homogeneity asks whether the places of both agents follow one distribution. It takes the two agents for independent, but they cannot share a place: with n players the statistic of equal agents is n / (n - 1) times too great, and p too small. The permutation tests do not need this. They exchange the two agents in whole ${unitsOf(duels)}, which makes no difference if the agents are alike.</p>`,
      figureMarkup({
        id: "placings-gain",
        title,
        caption:
          "Return of the first agent minus that of the second in the same games: mean of the differences, with its 95% confidence interval (Student's t, over games; over matches if a match has several deals).",
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
  const [own, other] = [a, b].map(({ dealReturns, returns }) => dealReturns ?? returns.map((each) => [each]));
  if (new Set([...own!, ...other!].flat()).size > players) return undefined;
  const shared = a.sharedDeals;
  const numbers = [...new Set(shared)];
  return {
    stage,
    players,
    agents: [a.agent, b.agent],
    returns: [own!.flat(), other!.flat()],
    unit: shared !== undefined ? "deals" : a.dealReturns !== undefined ? "matches" : "games",
    unitOf: own!.flatMap((deals, i) => deals.map(() => (shared ? numbers.indexOf(shared[i]!) : i))),
  };
}

/** The units of some duels in words: "deals and games". */
function unitsOf(duels: readonly Duel[]): string {
  return [...new Set(duels.map(({ unit }) => unit))].join(" and ");
}

/** The deals of one match depend on each other, so its mean counts as one draw. */
function gain({ returns: [own, other], unit, unitOf }: Duel): Estimate {
  if (unit !== "matches") return pairedGain(own, other);
  const meansOf = (returns: readonly number[]) =>
    Array.from({ length: unitOf.at(-1)! + 1 }, (_, match) => {
      const inMatch = returns.filter((_, deal) => unitOf[deal] === match);
      return sum(inMatch) / inMatch.length;
    });
  return pairedGain(meansOf(own), meansOf(other));
}

/** Exchanges the two agents in whole units: how often the statistic of Pearson, and the total difference, are as great. */
function exchanged({ agents, returns: [own, other], stage, unitOf }: Duel, values: readonly number[]) {
  const rows = Array.from({ length: Math.max(...unitOf) + 1 }, () => new Float64Array(values.length));
  for (const [deal, unit] of unitOf.entries()) {
    rows[unit]![values.indexOf(own[deal]!)]!++;
    rows[unit]![values.indexOf(other[deal]!)]!--;
  }
  const both = countsOf([...own, ...other], values);
  // Both agents have equally many deals, so this is the statistic of `chiSquareTest`.
  const pearson = (sums: Float64Array) =>
    sums.reduce((total, difference, i) => total + difference ** 2 / Math.max(1, both[i]!), 0);
  const difference = (sums: Float64Array) =>
    Math.abs(sums.reduce((total, n, i) => total + n * values[i]!, 0));
  const { p } = exchangeTest(rows, [pearson, difference], Random.named("placings", stage, ...agents));
  return { units: rows.length, ofPlaces: p[0]!, ofGain: p[1]! };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Table 2: the sum of returns of the agent of the row, in games with the agent of the column. */
function totalsTable(duels: readonly Duel[]): Table {
  const names = [...new Set(duels.flatMap(({ agents }) => agents))];
  const total = (own: string, other: string): number | null => {
    const found = duels.flatMap(({ agents, returns }) =>
      [0, 1].flatMap((i) => (agents[i] === own && agents[1 - i] === other ? [sum(returns[i]!)] : [])),
    );
    return found.length === 0 ? null : sum(found);
  };
  return {
    name: "placings-totals",
    title: "Sum of returns of the agent of the row, beside the agent of the column",
    ...tabulated(names, [
      column.text("agent", (own) => own),
      names.map((other) => column.number(other, (own: string) => total(own, other))),
    ]),
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
    ...tabulated(
      duels.flatMap(({ agents, returns, stage }) =>
        agents.map((agent, i) => ({ agent, stage, returns: returns[i]! })),
      ),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("agent", ({ agent }) => agent),
        column.integer("games", ({ returns }) => returns.length),
        values.map((value, i) =>
          column.integer(
            label(value, i),
            ({ returns }: { readonly returns: readonly number[] }) =>
              returns.filter((each) => each === value).length,
          ),
        ),
      ],
    ),
  };
}

function countsOf(returns: readonly number[], values: readonly number[]): number[] {
  return values.map((value) => returns.filter((each) => each === value).length);
}

function testsTable(duels: readonly Duel[], values: readonly number[]): Table {
  return {
    name: "placings-tests",
    title:
      "Tests of the places of two agents, by chi-square and by permutation, and the mean difference of their returns",
    ...tabulated(
      duels.map((duel) => ({
        ...duel,
        test: chiSquareTest(duel.returns.map((own) => countsOf(own, values))),
        gain: gain(duel),
        permuted: exchanged(duel, values),
      })),
      [
        column.text("stage", ({ stage }) => stage),
        column.text("agent", ({ agents }) => agents[0]),
        column.text("against", ({ agents }) => agents[1]),
        column.number("statistic", ({ test }) => test.statistic),
        column.integer("degrees", ({ test }) => test.degrees),
        column.number("p", ({ test }) => test.p),
        column.text("below .005", ({ test }) => (test.p < 0.005 ? "yes" : "no")),
        column.estimate("gain", (duel) => duel.gain),
        column.text("exchanged", ({ unit }) => unit),
        column.integer("units", ({ permuted }) => permuted.units),
        column.number("permutation p of places", ({ permuted }) => permuted.ofPlaces),
        column.number("permutation p of gain", ({ permuted }) => permuted.ofGain),
      ],
    ),
  };
}

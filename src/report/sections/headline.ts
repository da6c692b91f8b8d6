import type { AgentResult, Contest } from "../../events/event.ts";
import { meanEstimate, pairedGain, proportionEstimate, tidySum } from "../../stats/intervals.ts";
import { type Content, type Markup, markup } from "../../figures/markup.ts";
import { learningAgents } from "../learning-agents.ts";
import {
  failedMatches,
  lastMatches,
  learnedText,
  type Match,
  playedItself,
  playedSameGames,
  playsAfterAll,
  ranked,
} from "../matches.ts";
import {
  duration,
  estimateText,
  fixed,
  listed,
  percent,
  percentEstimateText,
  readable,
} from "../../figures/number-text.ts";
import { eventsOf, type RunData } from "../run-data.ts";
import { trainingScore } from "../run-game.ts";
import { noResultText } from "./contests.ts";
import { lastVersionText } from "./versions.ts";

/** The name of the run, its final result with interval in one sentence, and its key facts. */
export function headline(run: RunData): Markup {
  const facts = keyFacts(run).map(
    ([key, value]) => markup`<div><dt>${key}</dt><dd>${value}</dd></div>
`,
  );
  return markup`<header><h1>${run.name}</h1>
<p class="result">${resultSentence(run)}</p>
<dl class="key">
${facts}</dl></header>
`;
}

/** The newest result in a sentence with its interval, and after it the matches without one. */
export function resultSentence(run: RunData): Content {
  const failed = failedMatches(run).map(noResultText);
  const measured = lastMatches(run).length > 0 || eventsOf(run, "games").length > 0;
  const said = failed.length > 0 && !measured ? failed : [measuredResult(run), ...failed];
  return said.flatMap((sentence, i) => (i === 0 ? [sentence] : [" ", sentence]));
}

function measuredResult(run: RunData): Content {
  const match = lastMatches(run).at(-1);
  const rated = eventsOf(run, "version-ratings").findLast(
    ({ learned, stage }) => stage === match?.stage && learned === match.learned,
  );
  if (rated !== undefined && rated.versions.length > 1)
    return markup`After ${learnedText(rated)} learned, ${lastVersionText(rated)}.`;
  if (match !== undefined) return matchResult(run, match);
  const games = eventsOf(run, "games").at(-1);
  if (games !== undefined) return gamesResult(run, games.stage, games.done);
  return "Nothing was measured yet.";
}

/** The means of the newest groups of games, each reported by one event, have an interval like any others. */
const MOST_GROUPS = 20;

function gamesResult(run: RunData, stage: string, done: number): Content {
  const groups = eventsOf(run, "games")
    .filter((event) => event.stage === stage)
    .slice(-MOST_GROUPS);
  const count = groups.reduce((sum, event) => sum + event.count, 0);
  const last = markup`last ${fixed(count, 0)} of ${fixed(done, 0)} games of <i>${stage}</i>`;
  const { name, share } = trainingScore(run);
  if (share) {
    const won = groups.reduce((sum, event) => sum + event.mean * event.count, 0);
    const estimate = proportionEstimate(Math.min(tidySum(won), count), count);
    return markup`No match was played yet. Seat 1 won <b>${percentEstimateText(estimate)}</b> of the ${last}.`;
  }
  const least = groups.reduce((low, { min }) => Math.min(low, min), Infinity);
  const most = groups.reduce((high, { max }) => Math.max(high, max), -Infinity);
  const said =
    groups.length > 2
      ? markup`${name} of <b>${estimateText(meanEstimate(groups.map(({ mean }) => mean)))}</b>`
      : markup`${name.replace("mean score", "score")} between <b>${readable(least)}</b> and <b>${readable(most)}</b>`;
  return markup`No match was played yet. The ${last} had a ${said}.`;
}

function matchResult(run: RunData, match: Match): Content {
  const learning = learningAgents(run);
  const own = match.agents.filter(({ agent }) => learning.has(agent));
  // What the run has learned is its point, whether it wins or loses.
  const subjects = new Set((own.length > 0 ? own : match.agents).map(({ agent }) => agent));
  const { contest } = match;
  if (playedItself(match)) {
    const [{ agent, games }] = match.agents as [AgentResult];
    return markup`${afterText(run, match)}<i>${agent}</i> played ${games === 1 ? "one game" : `${fixed(games, 0)} games`} against itself.`;
  }
  if (contest !== undefined && contest.games > 0) return contestResult(run, match, contest, subjects);
  const others = lastMatches(run).filter(({ agents }) => agents.length === 1);
  if (match.agents.length === 1 && others.length > 1) return apartResult(run, others);
  const all = ranked(match);
  const best = all.find(({ agent }) => subjects.has(agent));
  if (best === undefined) return undefined;
  const said = [afterText(run, match), scoreText(best)];
  const other = all.find((each) => each !== best);
  if (other === undefined) return [said, "."];
  const ahead = other.mean <= best.mean;
  if (!playedSameGames(match, best, other))
    return [
      said,
      markup`, ${ahead ? "ahead of" : "behind"} <i>${other.agent}</i> with ${readable(other.mean)}.`,
    ];
  const gain = ahead ? pairedGain(best.returns, other.returns) : pairedGain(other.returns, best.returns);
  const sure = gain.interval[0] > 0 ? "" : `; the interval of the ${ahead ? "gain" : "loss"} contains zero`;
  const compared = `${estimateText(gain)} ${ahead ? "more" : "less"} than`;
  return [said, markup`, ${compared} <i>${other.agent}</i> in the same games${sure}.`];
}

/** Of agents that play in their own stages: the best one, and the next. */
function apartResult(run: RunData, matches: readonly Match[]): Content {
  const [best, next] = matches
    .map((match) => ({ match, result: match.agents[0]! }))
    .toSorted((a, b) => b.result.mean - a.result.mean);
  return [
    afterText(run, best!.match),
    scoreText(best!.result),
    markup`, the best of ${fixed(matches.length, 0)} agents, ahead of <i>${next!.result.agent}</i> with ${readable(next!.result.mean)}.`,
  ];
}

function scoreText({ agent, games, interval, mean }: AgentResult): Markup {
  const text = estimateText({ value: mean, interval });
  return markup`<i>${agent}</i> had a mean score of <b>${text}</b> ${games === 1 ? "in one game" : `over ${fixed(games, 0)} games`}`;
}

function contestResult(
  run: RunData,
  match: Match,
  { games, standings }: Contest,
  subjects: ReadonlySet<string>,
): Content {
  const [best] = standings
    .filter(({ agent, wins }) => wins.games > 0 && subjects.has(agent))
    .toSorted((a, b) => b.wins.value - b.fair - (a.wins.value - a.fair));
  if (best === undefined) return undefined;
  const { agent, fair, wins } = best;
  const [other, ...more] = standings.filter((each) => each !== best && each.wins.games > 0);
  const against =
    other !== undefined && more.length === 0
      ? markup` against <i>${other.agent}</i>`
      : ` in a match of ${fixed(games, 0)}`;
  return markup`${afterText(run, match)}<i>${agent}</i> won <b>${percentEstimateText(wins)}</b> of its ${fixed(wins.games, 0)} games${against}; among equals it would be ${percent(fair)}.`;
}

/** How much was learned before a match: `After 40,000 steps learned, `; with nothing learned, nothing. */
function afterText(run: RunData, match: Match): string {
  if (match.learned > 0) return `After ${learnedText(match)} learned, `;
  return playsAfterAll(run, match) && learningAgents(run).size > 0 ? "After all learning, " : "";
}

function keyFacts(run: RunData): [string, Content][] {
  const started = eventsOf(run, "run-started");
  const ended = eventsOf(run, "run-ended").at(-1);
  const first = started[0];
  const last = run.events.at(-1);
  const text = (key: string) => {
    const value = run.manifest[key];
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  };
  const over = ended !== undefined && last?.type === "run-ended";
  const message = ended?.message === undefined ? "" : `: ${ended.message}`;
  const facts: [string, Content][] = [
    ["Run", text("id")],
    ["Seed", text("seed") ?? first?.seed],
    ["Started", dateText(text("started") ?? first?.time)],
    ["At work", last && duration(last.elapsed)],
    ["Outcome", over ? `${ended.outcome}${message}` : last && "still running, or killed"],
    ["Workers", text("workers") ?? first?.workers],
    ["Nets", first?.compute === "" ? undefined : started.at(-1)?.compute],
    [
      "Resumed",
      started.length > 1 ? (started.length === 2 ? "once" : `${started.length - 1} times`) : undefined,
    ],
    ["Reproducible", reproducible(run.manifest)],
  ];
  return facts.filter(([, value]) => value !== undefined && value !== "");
}

function reproducible({ reproducible: said, irreproducible: why }: RunData["manifest"]): string | undefined {
  if (typeof said !== "boolean") return undefined;
  if (said) return "a function of file and seed";
  return `no: ${Array.isArray(why) ? listed(why.map(String)) : "the schedule is asynchronous"}`;
}

function dateText(time: string | undefined): string | undefined {
  if (time === undefined || Number.isNaN(Date.parse(time))) return time;
  return `${new Date(time).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

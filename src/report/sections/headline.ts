import type { Contest } from "../../events/event.ts";
import { pairedGain } from "../../stats/intervals.ts";
import { type Content, type Markup, markup } from "../markup.ts";
import { lastMatches, learnedText, type Match, playedSameGames, ranked } from "../matches.ts";
import { duration, estimateText, fixed, listed, percent, readable } from "../number-text.ts";
import { eventsOf, type RunData } from "../run-data.ts";
import { lastVersionText } from "./versions.ts";

/** The name of the run, its final result with interval in one sentence, and its key facts. */
export function headline(run: RunData): Markup {
  const facts = keyFacts(run).map(
    ([key, value]) => markup`<div><dt>${key}</dt><dd>${value}</dd></div>
`,
  );
  return markup`<header><h1>${run.name}</h1>
<p class="result">${result(run)}</p>
<dl class="key">
${facts}</dl></header>
`;
}

/** The final result in a sentence. */
function result(run: RunData): Content {
  const match = lastMatches(run).at(-1);
  const rated = eventsOf(run, "version-ratings").findLast(
    ({ learned, stage }) => stage === match?.stage && learned === match.learned,
  );
  if (rated !== undefined && rated.versions.length > 1)
    return markup`After ${learnedText(rated)} learned, ${lastVersionText(rated)}.`;
  if (match !== undefined) return matchResult(match);
  const games = eventsOf(run, "games").at(-1);
  if (games !== undefined)
    return markup`No match was played yet. The last ${fixed(games.count, 0)} of ${fixed(games.done, 0)} games of <i>${games.stage}</i> had a mean score of <b>${readable(games.mean)}</b>.`;
  return "Nothing was measured yet.";
}

function matchResult(match: Match): Content {
  if (match.contest !== undefined && match.contest.games > 0) return contestResult(match, match.contest);
  const [best, second] = ranked(match);
  if (best === undefined) return undefined;
  const after = match.learned > 0 ? `After ${learnedText(match)} learned, ` : "";
  const games = best.games === 1 ? "in one game" : `over ${fixed(best.games, 0)} games`;
  const text = estimateText({ value: best.mean, interval: best.interval });
  const agent = markup`<i>${best.agent}</i> had a mean score of <b>${text}</b> ${games}`;
  if (second === undefined) return [after, agent, "."];
  if (!playedSameGames(match, best, second))
    return [after, agent, markup`, ahead of <i>${second.agent}</i> with ${readable(second.mean)}.`];
  const gain = pairedGain(best.returns, second.returns);
  const sure = gain.interval[0] > 0 ? "" : "; the interval of the gain contains zero";
  return [
    after,
    agent,
    markup`, ${estimateText(gain)} more than <i>${second.agent}</i> in the same games${sure}.`,
  ];
}

function contestResult(match: Match, { games, standings }: Contest): Content {
  const [best] = standings.toSorted((a, b) => b.wins.value - b.fair - (a.wins.value - a.fair));
  if (best === undefined) return undefined;
  const { agent, fair, wins } = best;
  const after = match.learned > 0 ? `After ${learnedText(match)} learned, ` : "";
  const [low, high] = wins.interval;
  return markup`${after}<i>${agent}</i> won <b>${percent(wins.value)} (95% interval ${percent(low)} to ${percent(high)})</b> of its ${fixed(wins.games, 0)} games in a match of ${fixed(games, 0)}; among equals it would be ${percent(fair)}.`;
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

import type { MatchResult } from "../../events/event.ts";
import { type Content, markup } from "../../figures/markup.ts";
import { fixed, percentTick } from "../../figures/number-text.ts";
import { resultTexts } from "../views/result-texts.ts";
import type { ShownResult } from "../views/run-views.ts";

/** A run's newest result in a sentence, as markup with `b`, `i` and `small`; `match` is the one that it is from. */
export function shortSentence(
  result: ShownResult,
  { contest, agents }: Pick<MatchResult, "agents" | "contest">,
): string {
  const { agent, learned, measure, unit } = result;
  const { interval, value } = resultTexts(result);
  const one = learned === 1 ? unit.slice(0, -1) : unit;
  const after = learned > 0 ? markup`After ${fixed(learned, 0)} ${one} ` : "";
  const amount = markup`<b>${value}</b>${interval === "" ? "" : markup` <small>${interval}</small>`}`;
  const others = agents.filter((each) => each.agent !== agent && each.games > 0);
  if (measure === "share won") {
    const fair = contest?.standings.find((each) => each.agent === agent)?.fair;
    const against: Content =
      others.length === 1
        ? markup` against <b>${others[0]!.agent}</b>`
        : fair === undefined
          ? ""
          : `; among equals it would be ${percentTick(Math.round(1000 * fair) / 1000)}`;
    return markup`${after}<b>${agent}</b> wins ${amount} of its games${against}.`.text;
  }
  const games = agents.find((each) => each.agent === agent)?.games ?? 0;
  return markup`${after}<b>${agent}</b> scores ${amount}, the mean of ${fixed(games, 0)} ${games === 1 ? "game" : "games"}.`
    .text;
}

import { fixed } from "../../../figures/number-text.ts";
import type { PlayView } from "../../views/play-views.ts";
import { seatTitle, sitterName } from "./seats.tsx";

/** What a game's page says first: what is now, and what one can do. */
export interface PlaySentence {
  readonly bold: string;
  readonly rest: string;
}

/** The sentence of a game in progress; `says` is what one can do in one's turn. */
export function playSentence(view: PlayView, says: string, seconds: number): PlaySentence {
  const { state, toMove, waitsFor } = view;
  if (state === "over") return endSentence(view);
  if (state === "failed") return { bold: "The game has stopped.", rest: "" };
  if (toMove === undefined) return { bold: "", rest: "" };
  if (state === "thinking")
    return {
      bold: `${view.player.name} thinks…`,
      rest: seconds < 2 ? "" : `${fixed(seconds, 0)} s`,
    };
  if (waitsFor !== undefined)
    return {
      bold: `${seatTitle(view, waitsFor)} is to move.`,
      rest: "Its cards are hidden until you ask for them.",
    };
  const taken = view.seats[toMove]!;
  if (taken.by === "person" && taken.you) {
    const several = view.seats.filter((each) => each.by === "person" && each.you).length > 1;
    return { bold: several ? `${seatTitle(view, toMove)} to move.` : "Your move.", rest: says };
  }
  if (taken.by === "person" && taken.open)
    return {
      bold: `${seatTitle(view, toMove)} is open.`,
      rest: "The game continues when somebody sits down there.",
    };
  return { bold: `${sitterName(view, toMove)}, ${seatTitle(view, toMove)}, is to move.`, rest: "" };
}

function endSentence(view: PlayView): PlaySentence {
  const { bounds, facts = {}, gaveUp, returns = [], seats } = view;
  if (returns.length === 1) {
    const texts = Object.entries(facts).map(([name, value]) => `${wordsOf(name)} ${fixed(value, 0)}`);
    return {
      bold: `The game is over: ${fixed(returns[0]!, 0)} points.`,
      rest: texts.length === 0 ? "" : `${texts.join(", ")}.`,
    };
  }
  const own = seats.flatMap((seat, i) => (seat.by === "person" && seat.you ? [i] : []));
  const best = Math.max(...returns);
  const winners = returns.flatMap((value, seat) => (value === best ? [seat] : []));
  const names = winners.map((seat) => sitterName(view, seat)).join(" and ");
  const scores =
    bounds[1] !== null && bounds[1] <= 1 ? "" : `${returns.map((value) => fixed(value, 0)).join(" to ")}.`;
  if (gaveUp !== undefined && own.includes(gaveUp))
    return { bold: "You gave up.", rest: "The game is stored as it is." };
  if (winners.length === returns.length) return { bold: "A draw.", rest: scores };
  if (own.length !== 1)
    return { bold: `${names} ${winners.length > 1 ? "share the first place" : "has won"}.`, rest: scores };
  const place = returns.filter((value) => value > returns[own[0]!]!).length + 1;
  if (place > 1) {
    const rest = [returns.length > 2 ? `You are number ${place} of ${returns.length}.` : "", scores];
    return { bold: returns.length > 2 ? `${names} has won.` : "You lost.", rest: rest.join(" ").trim() };
  }
  return { bold: winners.length > 1 ? "You share the first place." : "You won.", rest: scores };
}

/** `largest tile` for `largestTile`. */
function wordsOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

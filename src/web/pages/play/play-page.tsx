import type { PageProps } from "../page-props.ts";
import { ChooseGame } from "./choose-game.tsx";
import { GameInPlay } from "./play-game.tsx";
import { SetUpGame } from "./set-up-game.tsx";

/** Play: the games that can be played, one that is set up, or one that is played. */
export function PlayPage({ rest: [first] }: PageProps) {
  if (first === undefined) return <ChooseGame />;
  // The server names games in progress so; no rules have such a name.
  if (/^[0-9a-f]{12}$/.test(first)) return <GameInPlay key={first} id={first} />;
  return <SetUpGame key={first} rules={first} />;
}

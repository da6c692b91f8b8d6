import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { GameOffer, PlayerOffer, PlayOffers } from "../../views/play-views.ts";
import { ask, NoAnswer, reconnects } from "../shell/contact.ts";
import { goTo } from "../shell/router.ts";

/** The games and players that are offered; undefined until they are known. */
export function useOffers(): { readonly offers: PlayOffers | undefined; readonly error: string | undefined } {
  const offers = useSignal<PlayOffers | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  useEffect(() => {
    void ask<PlayOffers>("/api/play/offers")
      .then((answer) => (offers.value = answer))
      .catch((failure: Error) => {
        if (!(failure instanceof NoAnswer)) error.value = failure.message;
      });
  }, [reconnects.value]);
  return { offers: offers.value, error: error.value };
}

/** The wish for a seat of a game that is set up. */
export type SeatWish = "you" | "player" | "open";

/** A position of a stored game: its address `NAME/ID/STAGE/3`, and the number of plies before the position. */
export interface Beginning {
  readonly game: string;
  readonly ply: number;
}

/** Starts games, and goes to them. */
export function useStartGame() {
  const starting = useSignal<string | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  return {
    starting: starting.value,
    error: error.value,
    start: async (
      player: string,
      simulations?: number,
      seats?: readonly SeatWish[],
      from?: Beginning,
    ): Promise<void> => {
      starting.value = player;
      error.value = undefined;
      try {
        const { id } = await ask<{ readonly id: string }>("/api/play/start", {
          player,
          simulations,
          seats,
          from,
        });
        goTo(`/play/${id}`);
      } catch (failure) {
        error.value = (failure as Error).message;
      } finally {
        starting.value = undefined;
      }
    },
  };
}

const KINDS = {
  run: "Runs of this folder",
  net: "Nets of ludoflow",
  search: "Searches without a net",
} as const;

/** The players of a game by where they come from, in words. */
export function groupsOf({ players }: GameOffer): readonly (readonly [string, readonly PlayerOffer[]])[] {
  return (Object.keys(KINDS) as (keyof typeof KINDS)[])
    .map((kind) => [KINDS[kind], players.filter((each) => each.kind === kind)] as const)
    .filter(([, members]) => members.length > 0);
}

/** A player in a line: `mc-softmax, after 5,000 games of quickstart (rows 3)`. */
export function playerLine({ from, name, variant }: PlayerOffer): string {
  return `${name}, ${from}${variant === "" ? "" : ` (${variant})`}`;
}

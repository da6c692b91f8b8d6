import { useSignal } from "@preact/signals";
import type { PlayView, PlayAct, AdviceShown } from "../../views/play-views.ts";
import { ask, useTopic } from "../shell/contact.ts";

/** A game in progress, and what can be done in it. */
export function useGameInPlay(id: string) {
  const view = useSignal<PlayView | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const gone = useSignal(false);
  useTopic(
    `game/${encodeURIComponent(id)}`,
    {
      game: (now: PlayView) => {
        view.value = now;
        gone.value = false;
      },
    },
    () => (gone.value = true),
  );
  return {
    /** Whether the server does not have the game: it was begun on an earlier one. */
    gone: gone.value,
    view: view.value,
    error: error.value,
    /** Whether the server has done it; what it shows of that may come later. */
    act: async (act: PlayAct): Promise<boolean> => {
      error.value = undefined;
      try {
        await ask(`/api/play/act/${id}`, act);
        return true;
      } catch (failure) {
        error.value = (failure as Error).message;
        return false;
      }
    },
    advice: async (): Promise<AdviceShown | undefined> => {
      error.value = undefined;
      try {
        return await ask<AdviceShown>(`/api/play/advice/${id}`, {});
      } catch (failure) {
        error.value = (failure as Error).message;
        return undefined;
      }
    },
  };
}

/** What a game's page can do. */
export type GameContact = ReturnType<typeof useGameInPlay>;

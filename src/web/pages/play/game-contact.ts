import { useSignal } from "@preact/signals";
import type { PlayView, PlayAct, AdviceShown } from "../../views/play-views.ts";
import { ask, useStream } from "../shell/contact.ts";

/** A game in progress, and what can be done in it. */
export function useGameInPlay(id: string) {
  const view = useSignal<PlayView | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  useStream(`/api/play/stream/${id}`, {
    game: (now: PlayView) => {
      view.value = now;
    },
  });
  return {
    view: view.value,
    error: error.value,
    act: async (act: PlayAct): Promise<void> => {
      error.value = undefined;
      try {
        await ask(`/api/play/act/${id}`, act);
      } catch (failure) {
        error.value = (failure as Error).message;
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

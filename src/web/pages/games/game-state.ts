import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { AnalysisState, GameView, PositionShown } from "../../views/game-views.ts";
import { ask, inSight, NoAnswer, reconnects } from "../shell/contact.ts";
import { choose, query } from "../shell/router.ts";
import { gamePath } from "./addresses.ts";

/** Positions that are asked for at a time, and that are kept. */
const CHUNK = 64;
const MOST_KEPT = 40 * CHUNK;
/** The interval of looks at an analysis that is running. In milliseconds. */
const LOOK_MS = 700;
/** The address follows the ply after so long. In milliseconds. */
const ADDRESS_MS = 200;

/** A game on its page. */
export interface GameShown {
  readonly view: GameView | undefined;
  readonly error: string | undefined;
  /** The plies before the position that is shown. */
  readonly ply: Signal<number>;
  /** The position, or the one that was shown last while it is fetched. */
  readonly position: PositionShown | undefined;
  /** The analysis that was asked for, also while the players' own thoughts are shown. */
  readonly analysis: AnalysisState | undefined;
  /** The analysis whose thoughts are shown in place of the players' own; undefined: the players' own are shown. */
  readonly opinion: AnalysisState | undefined;
  readonly show: (ply: number) => void;
  readonly analyse: (by: string) => Promise<void>;
}

/** A game of a run, and the position of the address; `seat` counts from 1, undefined: all open. */
export function useGame(path: string, stage: string, game: number, seat: string | undefined): GameShown {
  const end = gamePath(path, stage, game);
  const view = useSignal<GameView | undefined>(undefined);
  const error = useSignal<string | undefined>(undefined);
  const ply = useSignal(Math.max(0, Number(query.value.get("ply") ?? "1") - 1 || 0));
  const analysis = useSignal<AnalysisState | undefined>(undefined);
  const got = useSignal(0);
  const positions = useRef(new Map<number, PositionShown>());
  const asked = useRef(new Set<number>());
  const last = useRef<PositionShown | undefined>(undefined);
  const timer = useRef<number | undefined>(undefined);
  const chosen =
    analysis.value?.by === query.value.get("by") ||
    (view.value !== undefined && view.value.kept !== "thoughts");
  const opinion = chosen ? analysis.value : undefined;
  const params = `${seat === undefined ? "" : `&seat=${seat}`}${opinion === undefined ? "" : `&by=${encodeURIComponent(opinion.by)}`}`;
  const current = useRef(params);
  current.current = params;

  const fetchChunk = async (chunk: number) => {
    if (chunk < 0 || asked.current.has(chunk)) return;
    asked.current.add(chunk);
    const from = chunk * CHUNK;
    try {
      const { positions: found } = await ask<{ readonly positions: readonly PositionShown[] }>(
        `/api/game-positions/${end}?from=${from}&to=${from + CHUNK - 1}${params}`,
      );
      // Meanwhile somebody may have chosen another seat.
      if (current.current !== params) return;
      if (positions.current.size > MOST_KEPT) {
        positions.current.clear();
        asked.current = new Set([chunk]);
      }
      for (const each of found) positions.current.set(each.ply, each);
      got.value++;
    } catch (failure) {
      asked.current.delete(chunk);
      if (!(failure instanceof NoAnswer)) error.value ??= (failure as Error).message;
    }
  };

  useEffect(() => {
    ask<GameView>(`/api/game/${end}?${params.slice(1)}`).then(
      (found) => {
        view.value = found;
        if (ply.value > found.plies) ply.value = found.plies;
        if (!query.value.has("ply")) ply.value = found.plies;
      },
      (failure: Error) => {
        if (!(failure instanceof NoAnswer)) error.value = failure.message;
      },
    );
  }, [end, seat, reconnects.value]);

  // What was fetched for another seat, or another analysis, is no longer valid.
  useEffect(() => {
    positions.current.clear();
    asked.current.clear();
    last.current = undefined;
    void fetchChunk(Math.floor(ply.value / CHUNK));
  }, [params]);

  const look = async () => {
    const { analysis: found } = await ask<{ readonly analysis: AnalysisState | null }>(
      `/api/game-analysis/${end}?${params.slice(1)}`,
    );
    const before = analysis.value;
    analysis.value = found ?? undefined;
    if (found !== null && found.done !== before?.done) {
      asked.current.clear();
      void fetchChunk(Math.floor(ply.value / CHUNK));
    }
  };
  useEffect(() => {
    void look().catch(() => {});
  }, [end, seat, reconnects.value]);
  const running = analysis.value?.state === "running";
  useEffect(() => {
    if (!running || !inSight.value) return undefined;
    const repeated = window.setInterval(() => void look().catch(() => {}), LOOK_MS);
    return () => window.clearInterval(repeated);
  }, [running, params, inSight.value]);

  const chunk = Math.floor(ply.value / CHUNK);
  const beside = ply.value % CHUNK < CHUNK / 2 ? chunk - 1 : chunk + 1;
  const most = view.value === undefined ? chunk : Math.floor(view.value.plies / CHUNK);
  useEffect(() => {
    if (view.value === undefined) return;
    void fetchChunk(chunk);
    if (beside <= most) void fetchChunk(beside);
  }, [chunk, beside, params, view.value]);

  void got.value;
  const found = positions.current.get(ply.value);
  if (found !== undefined) last.current = found;
  return {
    view: view.value,
    error: error.value,
    ply,
    position: found ?? last.current,
    analysis: analysis.value,
    opinion,
    show: (wanted) => {
      const { plies } = view.value ?? { plies: 0 };
      ply.value = Math.min(plies, Math.max(0, wanted));
      window.clearTimeout(timer.current);
      timer.current = window.setTimeout(() => choose({ ply: String(ply.value + 1) }), ADDRESS_MS);
    },
    analyse: async (analyst) => {
      await ask(`/api/analyse-game/${end}`, { by: analyst });
      choose({ by: analyst });
      await look();
    },
  };
}

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { BoardMarks } from "../../../figures/boards/marks.ts";
import { fixed } from "../../../figures/number-text.ts";
import { counted } from "../../../messages/counted.ts";
import type { PlayView, MoveShown, AdviceShown } from "../../views/play-views.ts";
import { BoardView } from "../boards/board-view.tsx";
import { shortMove } from "../boards/short-move.ts";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import { Segments } from "../parts/segments.tsx";
import { lostSince } from "../shell/contact.ts";
import { usePlace } from "../shell/crumbs.ts";
import { useKeys } from "../shell/keys.ts";
import { runHref } from "../shell/router.ts";
import { CardsHand } from "./cards-hand.tsx";
import { CellsHand } from "./cells-hand.tsx";
import { type GameContact, useGameInPlay } from "./game-contact.ts";
import { StandstillNotice } from "./standstill-notice.tsx";
import type { Hand } from "./hand.ts";
import { LegalMarksChoice } from "./legal-marks.tsx";
import { ListHand } from "./list-hand.tsx";
import { moveKind } from "./move-kind.ts";
import { useStartGame } from "./offers.ts";
import { PiecesHand } from "./pieces-hand.tsx";
import { playSentence } from "./sentences.ts";
import { SeatLine, seatTitle, sitterName } from "./seats.tsx";
import { SlideHand, swiped } from "./slide-hand.tsx";
import { ThinkingPanel, adviceMarks } from "./thinking-panel.tsx";

const HANDS = {
  slide: SlideHand,
  pieces: PiecesHand,
  cards: CardsHand,
  cells: CellsHand,
  list: ListHand,
} as const;

/** A game in progress. */
export function GameInPlay({ id }: { readonly id: string }) {
  const contact = useGameInPlay(id);
  const { gone, view } = contact;
  usePlace(view === undefined ? "Play" : tabTitle(view), view?.title ?? "");
  if (view === undefined)
    return (
      <div class="head">
        <h1 tabIndex={-1} class={gone ? "" : "loading"}>
          {gone ? "This game is not here." : "Looking for this game"}
        </h1>
        <p class="muted">
          Games that have ended are stored with the runs. <a href="/play">Play another one</a>
        </p>
      </div>
    );
  return <Shown view={view} contact={contact} />;
}

function tabTitle(view: PlayView): string {
  if (view.state === "over") return "Game over";
  const taken = view.toMove === undefined ? undefined : view.seats[view.toMove];
  return view.state === "waiting" && taken?.by === "person" && taken.you ? "Your move" : view.title;
}

function Shown({ contact, view }: { readonly view: PlayView; readonly contact: GameContact }) {
  const { act, advice } = contact;
  const thinkingOn = useSignal(false);
  const thought = useSignal<AdviceShown | undefined>(undefined);
  const hint = useFreshSignal<AdviceShown | undefined>(undefined, [view.ply]);
  const asking = useSignal(false);
  const looked = useFreshSignal<MoveShown | undefined>(undefined, [view.ply]);
  // Until the game is seen to have continued, a second move would be one of the position before.
  const sent = useFreshSignal(false, [view.ply]);
  const mine = view.moves.length > 0;
  useEffect(() => {
    thought.value = undefined;
    if (!thinkingOn.value || !mine) return;
    void advice().then((answer) => {
      if (answer?.ply === view.ply) thought.value = answer;
    });
  }, [view.ply, mine, thinkingOn.value, view.simulations, view.player.key]);

  const play = (move: MoveShown) => {
    if (lostSince.value !== undefined || sent.value) return;
    sent.value = true;
    void act({ do: "move", ply: view.ply, action: move.action }).then((done) => {
      if (!done) sent.value = false;
    });
  };
  const askHint = () => {
    if (!mine || asking.value) return;
    asking.value = true;
    void advice().then((answer) => {
      asking.value = false;
      if (answer?.ply === view.ply) hint.value = answer;
    });
  };
  const undo = () => view.canUndo && void act({ do: "undo", ply: view.ply });
  const own = view.seats.flatMap((seat, i) => (seat.by === "person" && seat.you ? [i] : []));
  const seat = own.find((each) => each === view.toMove) ?? view.seenBy ?? own[0];
  const shown = looked.value ?? hint.value?.moves[0];
  const HandOf = HANDS[moveKind(view)];
  return (
    <HandOf view={view} seat={seat} shown={shown} onPlay={play}>
      {(hand) => (
        <TableView
          view={view}
          contact={contact}
          hand={hand}
          seat={seat}
          thinking={thinkingOn.value}
          thought={thought.value}
          hint={hint.value}
          asking={asking.value}
          onHint={askHint}
          onThinking={() => (thinkingOn.value = !thinkingOn.value)}
          onUndo={undo}
          onLook={(move) => (looked.value = move)}
        />
      )}
    </HandOf>
  );
}

function TableView({
  asking,
  contact,
  hand,
  hint,
  onHint,
  onLook,
  onThinking,
  onUndo,
  seat,
  thinking,
  thought,
  view,
}: {
  readonly view: PlayView;
  readonly contact: GameContact;
  readonly hand: Hand;
  readonly seat: number | undefined;
  readonly thinking: boolean;
  readonly thought: AdviceShown | undefined;
  readonly hint: AdviceShown | undefined;
  readonly asking: boolean;
  readonly onHint: () => void;
  readonly onThinking: () => void;
  readonly onUndo: () => void;
  readonly onLook: (move: MoveShown | undefined) => void;
}) {
  const { act, error } = contact;
  const seconds = useSeconds(view);
  const swipe = useRef<{ x: number; y: number } | undefined>(undefined);
  const giveUp = useSignal(false);
  const mine = view.moves.length > 0;
  const over = view.state === "over";
  const { board } = view;
  const { bold, rest } = playSentence(view, hand.refused ?? hand.says, seconds);
  useKeys({
    ...hand.keys,
    h: onHint,
    k: onThinking,
    Backspace: onUndo,
  });
  const marks: BoardMarks = merged(thought === undefined ? {} : adviceMarks(thought), hand.marks);
  const others = view.seats.map((_, i) => i).filter((i) => i !== seat);
  const ground = board?.kind === "grid" ? board.ground : undefined;
  const swatches =
    ground === "points" || ground === "green" ? "of-stones" : ground === "holes" ? "of-discs" : "";
  const personAlone = view.seats.length === 1;
  return (
    <>
      {contact.gone && (
        <div class="notice warn" role="alert">
          <p>
            <b>ludoflow does not have this game any more.</b> <a href="/play">Play another one</a>
          </p>
        </div>
      )}
      {view.state === "failed" && <StandstillNotice view={view} contact={contact} />}
      {error !== undefined && (
        <div class="notice bad" role="alert">
          <p>{error}</p>
        </div>
      )}
      <div class={`play ${board?.kind === "cards" ? "of-cards" : ""} ${swatches}`}>
        <div class="play-board">
          {board?.kind === "cards" && <p class="muted">{sittersText(view, others)}</p>}
          {others
            .filter((each) => board?.kind !== "cards" || isOpen(view, each))
            .map((each) => (
              <SeatLine key={each} view={view} seat={each}>
                <SitButton view={view} seat={each} onSit={() => void act({ do: "sit", seat: each })} />
              </SeatLine>
            ))}
          <div
            class={hand.gestures === true && mine ? "gestures" : ""}
            onPointerDown={(event) => (swipe.current = { x: event.clientX, y: event.clientY })}
            onPointerUp={(event) => {
              const from = swipe.current;
              swipe.current = undefined;
              const side = from && swiped(event.clientX - from.x, event.clientY - from.y);
              if (side !== undefined && hand.marks.sides?.[side] !== undefined) hand.onPress?.({ side });
            }}
          >
            {board === undefined ? (
              <p class="panel">This game has no picture that may be shown to your seat.</p>
            ) : (
              <BoardView
                board={board}
                label={`${view.title}, ${counted(view.decisions, "move", fixed(view.decisions, 0))} played. ${bold}`}
                marks={marks}
                most={mostHeight(others.length)}
                {...(mine && hand.onPress !== undefined ? { onPress: hand.onPress } : {})}
                {...(hand.onLook === undefined ? {} : { onLook: hand.onLook })}
              />
            )}
          </div>
          {seat !== undefined && <SeatLine view={view} seat={seat} />}
        </div>
        <div class="play-side">
          <h1 tabIndex={-1} aria-live="polite">
            <b>{bold}</b> {rest}
          </h1>
          {view.state === "thinking" && (
            <div class="actions">
              <button type="button" onClick={() => void act({ do: "stop" })}>
                Stop thinking
              </button>
            </div>
          )}
          {view.waitsFor !== undefined && (
            <div class="actions">
              <button
                type="button"
                class="main"
                onClick={() => void act({ do: "look", seat: view.waitsFor! })}
              >
                Show the cards of {seatTitle(view, view.waitsFor)}
              </button>
            </div>
          )}
          {over ? <End view={view} /> : hand.panel}
          {!over && seat !== undefined && (
            <div class="actions play-actions">
              <button type="button" disabled={!mine || asking} onClick={onHint}>
                Hint <kbd>H</kbd>
              </button>
              <button type="button" aria-pressed={thinking} onClick={onThinking}>
                {thinking ? "Hide its thinking" : "Show its thinking"} <kbd>K</kbd>
              </button>
              <button type="button" disabled={!view.canUndo} onClick={onUndo}>
                Undo <kbd>⌫</kbd>
              </button>
              <span class="grow" />
              {giveUp.value ? (
                <>
                  <button type="button" class="main" onClick={() => void act({ do: "give-up" })}>
                    End the game
                  </button>
                  <button type="button" onClick={() => (giveUp.value = false)}>
                    Play on
                  </button>
                </>
              ) : (
                <button type="button" class="plain" onClick={() => (giveUp.value = true)}>
                  Give up
                </button>
              )}
            </div>
          )}
          <p class="hint" role="status">
            {asking
              ? `${view.player.name} looks…`
              : hint !== undefined && (
                  <>
                    {view.player.name} would play <b>{shortMove(view, hint.text)}</b>.
                  </>
                )}
          </p>
          {thinking && mine && <ThinkingPanel view={view} thought={thought} onLook={onLook} />}
          <Played view={view} />
          {!over && seat !== undefined && hand.dots !== undefined && <LegalMarksChoice few={hand.dots} />}
          {!over && view.levels.length > 0 && (
            <section class="level" aria-label="Strength">
              <h2>
                {view.player.name} thinks <small>simulations a move</small>
              </h2>
              <Segments
                label="Simulations a move"
                value={String(view.simulations)}
                options={view.levels.map((each) => [String(each), fixed(each, 0)])}
                onChoose={(each) => void act({ do: "level", simulations: Number(each) })}
              />
              <p class="muted">
                {view.secondsAMove !== undefined && `About ${secondsText(view.secondsAMove)} a move here. `}
                {view.player.kind === "search" ? "A" : "From"} {view.player.from}.
                {personAlone && " It plays nothing here: it gives advice if you ask."}
              </p>
            </section>
          )}
        </div>
      </div>
    </>
  );
}

function isOpen({ seats }: PlayView, seat: number): boolean {
  const taken = seats[seat]!;
  return taken.by === "person" && taken.open;
}

/** The players at the table, in a line: around cards each seat has its place already. */
function sittersText(view: PlayView, others: readonly number[]): string {
  const byName = Map.groupBy(others, (seat) => sitterName(view, seat));
  return [...byName]
    .map(([name, seats]) => `${seats.map((seat) => seatTitle(view, seat)).join(", ")}: ${name}`)
    .join(". ");
}

function SitButton({
  onSit,
  seat,
  view,
}: {
  readonly view: PlayView;
  readonly seat: number;
  readonly onSit: () => void;
}) {
  if (!isOpen(view, seat)) return null;
  return (
    <button type="button" onClick={onSit}>
      Sit down here
    </button>
  );
}

/** After the end: the stored game, and another one. */
function End({ view }: { readonly view: PlayView }) {
  const { error, start, starting } = useStartGame();
  const { stored } = view;
  return (
    <>
      <div class="actions">
        {stored !== undefined && (
          <a
            class="button"
            href={`${runHref(stored.run)}/games/${encodeURIComponent(stored.stage)}/${stored.game}`}
          >
            Look at the game
          </a>
        )}
        <button
          type="button"
          class="main"
          disabled={starting !== undefined}
          onClick={() =>
            void start(
              view.player.key,
              view.simulations,
              view.seats.map((seat) => (seat.by === "player" ? "player" : seat.you ? "you" : "open")),
            )
          }
        >
          {starting === undefined ? "Play again" : "Starting…"}
        </button>
        <a href="/play">Another game</a>
      </div>
      {(error ?? view.message) !== undefined && <p class="bad">{error ?? view.message}</p>}
    </>
  );
}

/** The moves that were played, newest last, which is in sight. Of very long games the newest ones. */
function Played({ view }: { readonly view: PlayView }) {
  const { played } = view;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [view.ply]);
  if (played.length === 0) return null;
  return (
    <section aria-label="Moves played">
      <h2>
        Moves <small>{fixed(view.decisions, 0)}</small>
      </h2>
      <ol class="played" ref={list} tabIndex={0} aria-label="Moves" start={played[0]!.number}>
        {played.map(({ number, seat, text }) => (
          <li key={number} value={number} aria-current={number === view.decisions ? "step" : undefined}>
            <span class="muted">{fixed(number, 0)}</span>
            {view.seats.length > 1 && <i class={`swatch seat-${seat % 6}`} aria-hidden="true" />}
            <span>
              {view.seats.length > 1 && <span class="muted">{seatTitle(view, seat)}: </span>}
              {text === undefined ? <span class="muted">hidden from you</span> : shortMove(view, text)}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Marks of a thought under those of the hand. */
function merged(under: BoardMarks, over: BoardMarks): BoardMarks {
  if (over.sides === undefined || under.sides === undefined) return { ...under, ...over };
  const sides = Object.fromEntries(
    Object.entries(over.sides).map(([side, mark]) => [
      side,
      { ...mark, ...under.sides![side as keyof typeof under.sides] },
    ]),
  );
  return { ...under, ...over, sides };
}

/** The seconds that the player has thought, counted on between the messages of the server. */
function useSeconds({ ply, state, thinkingFor = 0 }: PlayView): number {
  const seconds = useSignal(0);
  useEffect(() => {
    seconds.value = thinkingFor;
    if (state !== "thinking") return undefined;
    const began = performance.now() - 1000 * thinkingFor;
    const timer = window.setInterval(() => (seconds.value = (performance.now() - began) / 1000), 500);
    return () => window.clearInterval(timer);
  }, [ply, state, thinkingFor]);
  return seconds.value;
}

/** The most pixels that a board may be high: all of it and the seats fit into the window. */
function mostHeight(others: number): number {
  return Math.max(260, window.innerHeight - 48 - 16 - 44 * (others + 1) - 24);
}

function secondsText(seconds: number): string {
  return seconds < 0.1 ? "0.1 s or less" : `${fixed(seconds, seconds < 10 ? 1 : 0)} s`;
}

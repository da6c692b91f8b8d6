import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MoveShown, PlayView } from "../../views/play-views.ts";
import { useFreshSignal } from "../parts/fresh-signal.ts";
import type { HandProps } from "./hand.ts";
import { MoveButtons } from "./move-buttons.tsx";

const SUITS: Readonly<Record<string, string>> = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** A card for people: `♠3`, `10♥`; the joker by its name. */
function cardText(card: string): string {
  if (card === "JK") return "Joker";
  return `${SUITS[card[0]!] ?? card[0]!}${card[1] === "T" ? "10" : card.slice(1)}`;
}

/** Why chosen cards are no play; undefined if they are one, or none is chosen. `useful` is the number of cards in plays with them. */
function noPlay(
  chosen: readonly string[],
  made: number,
  useful: number,
  board: PlayView["board"],
): string | undefined {
  if (made > 0 || chosen.length === 0) return undefined;
  if (useful > 0) return "These cards are a part of a play: choose more.";
  const beaten = board?.kind === "cards" && board.table.length > 0;
  return beaten ? "These cards are no play that beats the table." : "These cards are no play together.";
}

/** Moves with cards: choose cards of the own hand, then play what they make. */
export function CardsHand({ children, onPlay, seat, shown, view }: HandProps) {
  const chosen = useFreshSignal<readonly string[]>([], [view.ply, view.seenBy]);
  const focus = useSignal(0);
  useEffect(() => {
    if (shown?.place?.cards !== undefined) chosen.value = shown.place.cards;
  }, [shown]);
  const { board, moves } = view;
  const hand = board?.kind === "cards" && seat !== undefined ? (board.hands[seat]?.cards ?? []) : [];
  const mine = moves.length > 0;
  const made = moves.filter(
    ({ place }) =>
      place?.cards?.length === chosen.value.length &&
      place.cards.every((card) => chosen.value.includes(card)),
  );
  const passes = moves.filter(({ place }) => place?.cards === undefined);
  const useful = new Set(
    moves
      .filter(({ place }) => chosen.value.every((card) => place?.cards?.includes(card) === true))
      .flatMap(({ place }) => place?.cards ?? []),
  );
  const toggle = (card: string) => {
    chosen.value = chosen.value.includes(card)
      ? chosen.value.filter((each) => each !== card)
      : [...chosen.value, card];
  };
  const at = Math.min(focus.value, Math.max(0, hand.length - 1));
  const play = (move: MoveShown | undefined) => move !== undefined && onPlay(move);
  return (
    <>
      {children({
        marks: { chosenCards: chosen.value },
        ...(mine ? { onPress: ({ card }) => card !== undefined && hand.includes(card) && toggle(card) } : {}),
        keys: mine
          ? {
              ArrowLeft: () => (focus.value = Math.max(0, at - 1)),
              ArrowRight: () => (focus.value = Math.min(hand.length - 1, at + 1)),
              ArrowUp: () => hand[at] !== undefined && toggle(hand[at]),
              ArrowDown: () => hand[at] !== undefined && toggle(hand[at]),
              Enter: () => play(made[0] ?? (chosen.value.length === 0 ? passes[0] : undefined)),
              Escape: () => (chosen.value = []),
            }
          : {},
        refused: noPlay(chosen.value, made.length, useful.size, board),
        says:
          moves.length > 0 && passes.length === moves.length
            ? "You hold nothing that beats the table."
            : "Choose cards, then play them.",
        panel: seat !== undefined && hand.length > 0 && (
          <section aria-label="Your cards">
            <h2>
              Your cards <small>{hand.length}</small>
            </h2>
            <div class="card-row">
              {hand.map((card, i) => (
                <button
                  type="button"
                  key={card}
                  class={`playing-card ${/^[HD]/.test(card) ? "red" : ""} ${i === at ? "at" : ""}`}
                  aria-pressed={chosen.value.includes(card)}
                  disabled={!useful.has(card) && !chosen.value.includes(card)}
                  onClick={() => toggle(card)}
                >
                  {cardText(card)}
                </button>
              ))}
            </div>
            <div class="actions">
              {made.length === 0 ? (
                <button type="button" class="main" disabled>
                  Play <kbd>Enter</kbd>
                </button>
              ) : (
                made.slice(0, 6).map((move, i) => (
                  <button
                    type="button"
                    class={i === 0 ? "main" : ""}
                    key={move.action}
                    onClick={() => onPlay(move)}
                  >
                    Play {move.text} {i === 0 && <kbd>Enter</kbd>}
                  </button>
                ))
              )}
              {passes.map((move) => (
                <button type="button" key={move.action} onClick={() => onPlay(move)}>
                  {move.text.charAt(0).toUpperCase() + move.text.slice(1)}
                </button>
              ))}
            </div>
            <details>
              <summary>All moves</summary>
              <MoveButtons moves={moves} label="Moves" onPlay={onPlay} />
            </details>
          </section>
        ),
      })}
    </>
  );
}

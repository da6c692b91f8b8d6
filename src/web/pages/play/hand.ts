import type { ComponentChildren } from "preact";
import type { BoardMarks } from "../../../figures/boards/marks.ts";
import type { PlayView, MoveShown } from "../../views/play-views.ts";
import type { BoardTarget } from "../boards/board-view.tsx";
import type { Keys } from "../shell/keys.ts";

/** What a way of making moves gets. */
export interface HandProps {
  readonly view: PlayView;
  /** The seat of this browser that moves, or that it looks at meanwhile; undefined if it has none. */
  readonly seat: number | undefined;
  /** A move that is shown on the board: a hint, or one of the player's thoughts. */
  readonly shown: MoveShown | undefined;
  readonly onPlay: (move: MoveShown) => void;
  readonly children: (hand: Hand) => ComponentChildren;
}

/** A way of making moves: what it draws over the board, which pointers and keys it takes, and what is beside the board. */
export interface Hand {
  readonly marks: BoardMarks;
  readonly onPress?: (target: BoardTarget) => void;
  readonly onLook?: (target: BoardTarget | undefined) => void;
  readonly keys: Keys;
  /** What one can do now, in a sentence. */
  readonly says: string;
  /** Why the last press was no legal move, in a sentence. */
  readonly refused?: string | undefined;
  readonly panel?: ComponentChildren;
  /** What the usual dots of legal moves are, in a word, if a person may choose other ones. */
  readonly dots?: string;
  /** The board takes all gestures: the page does not scroll under them. */
  readonly gestures?: boolean;
}

/**
 * Daihinmin written plainly from the words of the rules: cards are texts, a play is a list of cells, everything is found
 * by trying. Slow and obvious; the fast code is compared with it.
 */
export const RANKS = "3456789TJQKA2";
export const WITH_VIRTUAL = `-${RANKS}+`;
export const SUITS: readonly string[] = ["S", "H", "D", "C"];

/** One cell of a play: what it counts as, and whether the joker lies there. */
interface Cell {
  readonly suit: string;
  readonly rank: string;
  readonly joker: boolean;
}

interface Play {
  readonly kind: "single" | "joker" | "group" | "sequence";
  readonly cells: readonly Cell[];
}

export const strength = (rank: string): number => WITH_VIRTUAL.indexOf(rank);

function textOf(play: Play): string {
  if (play.kind === "joker") return "JK";
  return play.cells.map(({ suit, rank, joker }) => `${joker ? "*" : ""}${suit}${rank}`).join(" ");
}

const subsets = <T>(items: readonly T[]): T[][] =>
  items.reduce<T[][]>((all, item) => [...all, ...all.map((set) => [...set, item])], [[]]);

/** Every play that there is. */
const everyPlay: readonly Play[] = (() => {
  const plays: Play[] = [];
  const withJoker = (kind: Play["kind"], cells: readonly { suit: string; rank: string }[]) => {
    const virtual = cells.filter(({ rank }) => !RANKS.includes(rank));
    if (virtual.length === 0) plays.push({ kind, cells: cells.map((cell) => ({ ...cell, joker: false })) });
    if (virtual.length > 1) return;
    for (const joker of virtual.length === 1 ? virtual : cells)
      plays.push({ kind, cells: cells.map((cell) => ({ ...cell, joker: cell === joker })) });
  };
  plays.push({ kind: "joker", cells: [] });
  for (const rank of RANKS) {
    for (const suit of SUITS) plays.push({ kind: "single", cells: [{ suit, rank, joker: false }] });
    for (const suits of subsets(SUITS))
      if (suits.length >= 2)
        withJoker(
          "group",
          suits.map((suit) => ({ suit, rank })),
        );
    plays.push({
      kind: "group",
      cells: [...SUITS.map((suit) => ({ suit, rank, joker: false })), { suit: "X", rank, joker: true }],
    });
  }
  for (const suit of SUITS)
    for (let from = 0; from < 15; from++)
      for (let to = from + 2; to < 15 && to - from < 11; to++)
        withJoker(
          "sequence",
          WITH_VIRTUAL.slice(from, to + 1)
            .split("")
            .map((rank) => ({ suit, rank })),
        );
  return plays;
})();

/** A play with what is asked of it again and again. */
interface Known {
  readonly play: Play;
  readonly text: string;
  /** The cards that leave the hand. */
  readonly needed: readonly string[];
  /** Its suits, joined by commas. */
  readonly suits: string;
  /** The strengths of its cells. */
  readonly ranks: readonly number[];
}

export const known: readonly Known[] = everyPlay.map((play) => ({
  play,
  text: textOf(play),
  needed:
    play.kind === "joker" ? ["JK"] : play.cells.map(({ suit, rank, joker }) => (joker ? "JK" : suit + rank)),
  suits: [...new Set(play.cells.map(({ suit }) => suit))].filter((suit) => suit !== "X").join(),
  ranks: play.cells.map(({ rank }) => strength(rank)),
}));

/** One game from hands that are dealt; players are 0 to 4 in seat order. */
export class PlainDaihinmin {
  readonly hands: Set<string>[];
  readonly virtual: boolean;
  mover: number;
  table: Known | undefined;
  lock = false;
  revolution = false;
  passed = new Set<number>();
  places: number[] = [];
  last: number;
  passes = 0;

  constructor(hands: readonly (readonly string[])[], virtual = true) {
    this.hands = hands.map((hand) => new Set(hand));
    this.virtual = virtual;
    this.mover = this.hands.findIndex((hand) => hand.has("D3"));
    this.last = this.mover;
  }

  /** The texts of the mover's legal moves. */
  legal(): string[] {
    const hand = this.hands[this.mover]!;
    const plays = known.filter(
      (each) =>
        each.needed.every((card) => hand.has(card)) &&
        (this.virtual || each.ranks.every((rank) => rank > 0 && rank < 14)) &&
        this.#beats(each),
    );
    return ["pass", ...plays.map(({ text }) => text)];
  }

  #beats({ play, text, suits, ranks }: Known): boolean {
    const { table } = this;
    if (table === undefined) return true;
    if (table.play.kind === "joker") return text === "S3";
    if (play.kind === "joker") return table.play.kind === "single";
    if (play.kind !== table.play.kind || play.cells.length !== table.play.cells.length) return false;
    if (this.lock && suits !== table.suits) return false;
    return this.revolution
      ? Math.max(...ranks) < Math.min(...table.ranks)
      : Math.min(...ranks) > Math.max(...table.ranks);
  }

  /** Whether twenty passes have ended the game. */
  get broken(): boolean {
    return this.passes === 20;
  }

  play(text: string): void {
    const player = this.mover;
    const isIn = (seat: number) => this.hands[seat]!.size > 0 && !this.passed.has(seat);
    const nextOf = (from: number, fits: (seat: number) => boolean) => {
      for (let i = 1; i <= 5; i++) if (fits((from + i) % 5)) return (from + i) % 5;
      return -1;
    };
    let cleared = false;
    if (text === "pass") {
      this.passed.add(player);
      this.passes++;
      cleared = [0, 1, 2, 3, 4].every((seat) => !isIn(seat));
    } else {
      const found = known.find((each) => each.text === text)!;
      const { play, needed, suits } = found;
      const { table } = this;
      for (const card of needed) this.hands[player]!.delete(card);
      this.passes = 0;
      this.last = player;
      if (table !== undefined && table.play.kind !== "joker" && play.kind !== "joker")
        this.lock ||= suits === table.suits;
      const size = play.cells.length;
      if ((play.kind === "group" && size >= 4) || (play.kind === "sequence" && size >= 5))
        this.revolution = !this.revolution;
      if (this.hands[player]!.size === 0) this.places.push(player);
      cleared = play.cells.some(({ rank }) => rank === "8") || table?.play.kind === "joker";
      this.table = found;
      cleared ||= [0, 1, 2, 3, 4].every((seat) => !isIn(seat));
    }
    if (cleared) {
      this.table = undefined;
      this.lock = false;
      this.passed.clear();
      this.mover =
        this.hands[this.last]!.size > 0 ? this.last : nextOf(this.last, (seat) => this.hands[seat]!.size > 0);
    } else this.mover = nextOf(player, isIn);
    if (this.places.length === 4) {
      this.places.push(nextOf(player, (seat) => this.hands[seat]!.size > 0));
      this.mover = -2;
    }
  }
}

/**
 * The number of sequences of `depth` plies from the text of a position in play, the players sitting in order, or of one in
 * which cards are returned.
 */
export function countFrom(position: string, depth: number): number {
  const [phase, ...rest] = position.split(" ");
  const parts = new Map(rest.map((part) => part.split("=") as [string, string | undefined]));
  const listOf = (key: string) => parts.get(key)?.split(",") ?? [];
  const hands = parts
    .get("hands")!
    .split("/")
    .map((hand) => (hand === "-" ? [] : hand.split(",")));
  if (phase!.startsWith("return")) return countReturns(hands, listOf("ranks"), phase!.split(":")[1]!, depth);
  const game = new PlainDaihinmin(hands);
  game.mover = Number(phase!.split(":")[1]) - 1;
  game.table = known.find(({ text }) => text === parts.get("table")?.replaceAll(",", " "));
  game.lock = parts.has("lock");
  game.revolution = parts.has("revolution");
  game.last = Number(parts.get("last")) - 1;
  game.passes = Number(parts.get("passes") ?? 0);
  for (const player of listOf("passed")) game.passed.add(Number(player) - 1);
  for (const [player, place] of listOf("places").entries())
    if (place !== "-") game.places[Number(place) - 1] = player;
  return count(game, depth);
}

/** The first returns any two of its cards to the fifth, then the second any one to the fourth; then play begins. */
function countReturns(
  hands: readonly (readonly string[])[],
  ranks: readonly string[],
  player: string,
  depth: number,
): number {
  if (depth === 0) return 1;
  const from = Number(player) - 1;
  const two = ranks[from] === "1";
  const to = ranks.indexOf(two ? "5" : "4");
  const returns = subsets(hands[from]!).filter((cards) => cards.length === (two ? 2 : 1));
  return returns.reduce((total, cards) => {
    const after = hands.map((hand, i) =>
      i === from ? hand.filter((card) => !cards.includes(card)) : i === to ? [...hand, ...cards] : hand,
    );
    return (
      total +
      (two
        ? countReturns(after, ranks, String(ranks.indexOf("2") + 1), depth - 1)
        : count(new PlainDaihinmin(after), depth - 1))
    );
  }, 0);
}

function count(game: PlainDaihinmin, depth: number): number {
  if (depth === 0) return 1;
  if (game.places.length === 5) return 0;
  if (game.broken) {
    // Lots are drawn for all places but the last one.
    const left = 5 - game.places.length;
    return depth < left ? Array.from({ length: depth }, (_, i) => left - i).reduce((a, b) => a * b, 1) : 0;
  }
  return game.legal().reduce((total, text) => {
    const next = copyOf(game);
    next.play(text);
    return total + count(next, depth - 1);
  }, 0);
}

function copyOf(game: PlainDaihinmin): PlainDaihinmin {
  const copy = new PlainDaihinmin(
    game.hands.map((hand) => [...hand]),
    game.virtual,
  );
  copy.mover = game.mover;
  copy.table = game.table;
  copy.lock = game.lock;
  copy.revolution = game.revolution;
  copy.passed = new Set(game.passed);
  copy.places = [...game.places];
  copy.last = game.last;
  copy.passes = game.passes;
  return copy;
}

import { type Content, type Markup, markup } from "../markup.ts";
import type { CardBoard } from "./board.ts";
import { LEAST_SHARE, type BoardMarks } from "./marks.ts";
import { short } from "./outline.ts";
import type { Paints } from "./paints.ts";

/** Sizes in pixels: a hand's line, a card, the least distance of two cards. */
const ROW = 62;
const CARD = { width: 32, height: 44 };
const LABEL = 92;
const TABLE = 84;

const SUITS: Readonly<Record<string, string>> = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** Hands of cards around a table as SVG: the table above, a line for each hand. Hidden cards are backs with their number. */
export function drawCards(board: CardBoard, width: number, paints: Paints, marks: BoardMarks): Markup {
  const { hands, notes = [], seats, table, toMove } = board;
  const scale = Math.max(1, width / 620);
  const wide = width / scale;
  const height = TABLE + ROW * hands.length + 4;
  const row = (y: number, cards: readonly string[], count: number, x0: number) => {
    const number = Math.max(cards.length, count);
    const step = Math.min(CARD.width + 3, (wide - x0 - CARD.width - 6) / Math.max(1, number - 1));
    return Array.from({ length: number }, (_, i) => {
      const card = cards[i];
      const x = x0 + i * step;
      if (card === undefined) return back(x, y, paints);
      const up = marks.chosenCards?.includes(card) === true ? 8 : 0;
      return face(card, x, y - up, paints, marks.cardShares?.get(card) ?? 0);
    });
  };
  const lines = hands.map(({ cards, count }, seat) => {
    const y = TABLE + ROW * seat;
    const note = [seats[seat]?.note, count === 0 ? undefined : `${count}`].filter(Boolean).join(", ");
    return markup`<rect x="2" y="${y - 1}" width="${short(wide - 4)}" height="${ROW - 6}" rx="6" fill="${paints.theme(toMove === seat ? "board" : "cell")}" stroke="${paints.theme(toMove === seat ? "ink" : "board")}" stroke-width="${toMove === seat ? 2 : 1}"/><text x="14" y="${y + 23}" font-size="14" font-weight="650" text-anchor="start" fill="${paints.theme("ink")}">${seat + 1}</text><text x="14" y="${y + 41}" font-size="11" text-anchor="start" fill="${paints.theme("muted")}">${note}</text>${row(y + 6, cards ?? [], count, LABEL)}`;
  });
  const said = table.length === 0 ? "Nothing lies on the table" : "Table";
  const [w, h] = [short(width), short(height * scale)];
  return markup`<svg xmlns="http://www.w3.org/2000/svg" class="board" width="${w}" height="${h}" viewBox="0 0 ${short(wide)} ${height}" font-family="system-ui, -apple-system, Segoe UI, Liberation Sans, Arial, sans-serif" text-anchor="middle"><text x="14" y="24" font-size="13" text-anchor="start" fill="${paints.theme("muted")}">${said}</text><text x="14" y="44" font-size="12" text-anchor="start" fill="${paints.theme("ink")}">${notes.join(", ")}</text>${row(14, table, table.length, table.length === 0 ? wide : Math.max(LABEL + 40, (wide - table.length * (CARD.width + 3)) / 2))}${lines}</svg>`;
}

function face(card: string, x: number, y: number, paints: Paints, share: number): Content {
  const joker = card === "JK";
  const suit = card[0]!;
  const red = suit === "H" || suit === "D";
  const rank = joker ? "★" : card[1] === "T" ? "10" : card[1]!;
  const ink = joker ? "#54409f" : red ? "#b3261e" : "#1c2024";
  const box = (fill: string, edge: string) =>
    markup`<rect x="${short(x)}" y="${short(y)}" width="${CARD.width}" height="${CARD.height}" rx="4" fill="${fill}" stroke="${edge}"/>`;
  return markup`<g data-card="${card}">${box("#fdfdfb", "#8b949d")}<text x="${short(x + 10)}" y="${short(y + 17)}" font-size="${rank === "10" ? 12 : 14}" font-weight="650" fill="${ink}">${rank}</text><text x="${short(x + 10)}" y="${short(y + 35)}" font-size="15" fill="${ink}">${joker ? "" : SUITS[suit]}</text>${share >= LEAST_SHARE && markup`<rect x="${short(x + 3)}" y="${short(y + CARD.height + 3)}" width="${short((CARD.width - 6) * Math.min(1, share))}" height="4" rx="2" fill="${paints.seat(0)}"/>`}</g>`;
}

function back(x: number, y: number, paints: Paints): Content {
  return markup`<rect x="${short(x)}" y="${short(y)}" width="${CARD.width}" height="${CARD.height}" rx="4" fill="${paints.seat(0)}" fill-opacity=".75" stroke="${paints.theme("paper")}"/><path d="M${short(x + 5)} ${short(y + 8)}h${CARD.width - 10}v${CARD.height - 16}h${10 - CARD.width}z" fill="none" stroke="#ffffff" stroke-opacity=".6"/>`;
}

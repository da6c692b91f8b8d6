import { palettes } from "../palette.ts";

/** The colours of boards that are the same in every theme. */
export const boardColours = {
  wood: "#deb878",
  woodLine: "#4a3510",
  green: "#2f8159",
  greenLine: "#0b3d22",
  rack: "#2b5ea7",
  black: "#15181b",
  white: "#fbfbf9",
  yellow: "#f2c230",
  red: "#c8372b",
} as const;

/** Tiles by their number, with the ink on them; from 8192 on they are all dark. */
const TILES: Readonly<Record<number, string>> = {
  2: "#efe6da",
  4: "#ead9bd",
  8: "#f3b27a",
  16: "#f2965f",
  32: "#ef7d5b",
  64: "#e8663c",
  128: "#f6e7ae",
  256: "#efd574",
  512: "#e5be3c",
  1024: "#d3a40a",
  2048: "#bb8a00",
  4096: "#7a62c4",
  8192: "#54409f",
};

/** The colour of a tile of 2048, and of the number on it: at least 4.8:1. */
export function tilePaint(value: number): { readonly fill: string; readonly ink: string } {
  return { fill: TILES[value] ?? "#372778", ink: value >= 4096 ? "#ffffff" : "#26221e" };
}

const { light } = palettes;
/** Seats with a colour of their own. */
const SEATS = light.seats.length;

/** A colour that differs between themes. */
export type ThemeColour = "ink" | "muted" | "paper" | "board" | "cell";

/** Gives the colours of a drawing. */
export interface Paints {
  theme(name: ThemeColour): string;
  seat(seat: number): string;
  seatEdge(seat: number): string;
}

/** The theme of the document around a drawing, by CSS variables. */
export const themePaints: Paints = {
  theme: (name) => `var(--${name})`,
  seat: (seat) => `var(--seat-${seat % SEATS})`,
  seatEdge: (seat) => `var(--seat-edge-${seat % SEATS})`,
};

const lightTheme: Readonly<Record<ThemeColour, string>> = {
  ink: "#1c2024",
  muted: "#5a636d",
  paper: light.paper,
  board: light.board,
  cell: light.cell,
};

/** The light theme, for self-contained files. */
export const filePaints: Paints = {
  theme: (name) => lightTheme[name],
  seat: (seat) => light.seats[seat % SEATS]!.fill,
  seatEdge: (seat) => light.seats[seat % SEATS]!.edge,
};

/** Colours of a theme, as sRGB in hexadecimal. */
export interface Palette {
  /** The ground that charts are drawn on. */
  readonly paper: string;
  /** The ground of boards, and their cells. */
  readonly board: string;
  readonly cell: string;
  /** Series of a chart. Any two can be distinguished with any common colour vision, and each from the paper. */
  readonly series: readonly string[];
  /** Seats, as boards show them: areas, and their edges and lines. */
  readonly seats: readonly { readonly fill: string; readonly edge: string }[];
}

/** The colours of charts by theme. `test/figures/palette.test.ts` measures how far apart they are. */
export const palettes = {
  light: {
    paper: "#ffffff",
    board: "#e6eaee",
    cell: "#f7f9fa",
    series: ["#0072b2", "#d55e00", "#134e26", "#6e285e", "#9e8e65", "#4a2cb5"],
    seats: [
      { fill: "#0072b2", edge: "#004a75" },
      { fill: "#e69f00", edge: "#9a6a00" },
      { fill: "#d55e00", edge: "#8a3d00" },
      { fill: "#009e73", edge: "#00593f" },
    ],
  },
  dark: {
    paper: "#171b1f",
    board: "#2b323a",
    cell: "#1f252b",
    series: ["#56b4e9", "#ff8a3d", "#b4efbf", "#aa5988", "#7b7249", "#7760db"],
    seats: [
      { fill: "#3a97d6", edge: "#9bd2f7" },
      { fill: "#e0a020", edge: "#ffdc8a" },
      { fill: "#ef7a3c", edge: "#ffc3a3" },
      { fill: "#2fc493", edge: "#a5f0d2" },
    ],
  },
} as const satisfies Readonly<Record<string, Palette>>;

/** Number of series that have colours of their own. */
export const SERIES_COLOURS = palettes.light.series.length;

/** The palette as CSS variables: `--series-0`, `--seat-0`, `--seat-edge-0`, `--board`, `--cell`. */
export function paletteVariables({ board, cell, seats, series }: Palette): string {
  return [
    `--board: ${board}; --cell: ${cell};`,
    ...series.map((colour, i) => `--series-${i}: ${colour};`),
    ...seats.flatMap(({ edge, fill }, i) => [`--seat-${i}: ${fill};`, `--seat-edge-${i}: ${edge};`]),
  ].join(" ");
}

import { drawFigure, type Figure } from "./figure.ts";
import { WIDE } from "./charts/frame.ts";
import { palettes } from "./palette.ts";

/** Colours of the light theme by the variables that charts use. */
const COLOURS: Readonly<Record<string, string>> = {
  "--paper": palettes.light.paper,
  "--ink": "#1c2024",
  "--muted": "#5d6670",
  "--faint": "#e3e7eb",
  ...Object.fromEntries(palettes.light.series.map((colour, i) => [`--series-${i}`, colour])),
};

/** Faces that journals take, and that every system has or replaces by one as wide. */
const FACE = `Helvetica, Arial, "Liberation Sans", sans-serif`;

/** What each class of a chart looks like; `C` stands for the colour of its series. As `chartStyle`, in attributes. */
export const printLooks: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  tick: { fill: "--muted" },
  label: { fill: "--muted" },
  series: { "font-size": "13", fill: "C" },
  strong: { "font-weight": "bold" },
  grid: { stroke: "--faint" },
  axis: { stroke: "--muted" },
  line: { fill: "none", stroke: "C", "stroke-width": "2", "stroke-linejoin": "round" },
  quiet: { fill: "none", stroke: "--muted", "stroke-width": "1", "stroke-opacity": ".75" },
  spread: { fill: "C", "fill-opacity": ".1" },
  band: { fill: "C", "fill-opacity": ".16" },
  bar: { fill: "C", "fill-opacity": ".82" },
  mark: { fill: "C", stroke: "--paper", "stroke-width": "1.2" },
  whisker: { fill: "none", stroke: "C", "stroke-width": "2" },
  interval: { stroke: "--ink", "stroke-width": "1.2" },
  moment: { fill: "--ink" },
  reference: { stroke: "--ink", "stroke-width": "1", "stroke-dasharray": "3 3" },
  landmark: { stroke: "--ink", "stroke-width": "1.6" },
  median: { "stroke-dasharray": "2 3" },
};

/** Pixels beside a chart: labels at the ends of an axis reach beyond it. */
const ROOM = 16;

/** The head of the files: a file without it is a user's own. */
const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Drawn by ludoflow -->\n`;

/** Whether a text is one that `figureFile` gave. */
export function isFigureFile(text: string): boolean {
  return text.startsWith(HEAD);
}

/**
 * A figure as an SVG file for papers: on white, with the faces of print, whatever the theme of its reader. Colours and faces are
 * attributes, without a style sheet, because programs that convert SVG to PDF know no variables of CSS.
 */
export function figureFile({ chart, id, title }: Pick<Figure, "chart" | "id" | "title">): string {
  const drawn = drawFigure({ chart, title }, WIDE, id).text;
  const looked = drawn.replaceAll(
    /<([a-z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>/gi,
    (_, name: string, all: string, end: string) => {
      const given = new Map(
        [...all.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
      );
      return `<${name}${[...looks(name, given)].map(([key, value]) => ` ${key}="${value}"`).join("")}${end}>`;
    },
  );
  return `${HEAD}${framed(looked)}\n`;
}

/** The attributes of an element: what it has, and the looks of its classes in place of its style. */
function looks(name: string, given: ReadonlyMap<string, string>): Map<string, string> {
  const styles = new Map(
    (given.get("style") ?? "")
      .split(";")
      .filter((each) => each.includes(":"))
      .map((each): [string, string] => {
        const [key, ...value] = each.split(":");
        return [key!.trim(), value.join(":").trim()];
      }),
  );
  const own = styles.get("--c") ?? "var(--ink)";
  const found = new Map<string, string>();
  if (name === "text") found.set("fill", "--ink");
  for (const each of (given.get("class") ?? "").split(" "))
    for (const [key, value] of Object.entries(printLooks[each] ?? {})) found.set(key, value);
  for (const [key, value] of styles) if (!key.startsWith("--")) found.set(key, value);
  // What the chart itself gives an element counts less than its style sheet, but for empty attributes.
  const rest = [...given].filter(
    ([key, value]) =>
      !["class", "style"].includes(key) && !key.startsWith("data-") && value !== "" && !found.has(key),
  );
  return new Map([...rest, ...[...found].map(([key, value]): [string, string] => [key, colour(value, own)])]);
}

/** A value with the colours in place of their variables. */
function colour(value: string, own: string): string {
  const wanted = value === "C" ? own : value;
  const name = /^(?:var\()?(--[\w-]+)\)?$/.exec(wanted)?.[1];
  return name === undefined ? wanted : (COLOURS[name] ?? COLOURS["--ink"]!);
}

/** The chart as a document of its own, with room at its sides, on white. */
function framed(svg: string): string {
  const [, width, height] = /viewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"/.exec(svg)!;
  const wide = Number(width) + 2 * ROOM;
  return svg
    .replace(/viewBox="[^"]*"/, `viewBox="${-ROOM} 0 ${wide} ${height}"`)
    .replace(/ width="[^"]*"/, ` width="${wide}"`)
    .replace("<svg", `<svg xmlns="http://www.w3.org/2000/svg" font-family='${FACE}' font-size="12.5"`)
    .replace(
      "</desc>",
      `</desc><rect x="${-ROOM}" y="0" width="${wide}" height="${height}" fill="${COLOURS["--paper"]}"/>`,
    );
}

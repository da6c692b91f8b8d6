import { expect, it } from "vitest";
import { figureFile, printLooks } from "../../src/figures/figure-file.ts";
import { chartStyle } from "../../src/figures/chart-style.ts";
import { palettes } from "../../src/figures/palette.ts";

const figure = {
  id: "curve",
  title: "Won & lost",
  chart: {
    kind: "lines" as const,
    description: "A share by steps.",
    xLabel: "Steps",
    yLabel: "Won",
    series: [0, 1].map((each) => ({
      label: `agent ${each}`,
      style: each,
      points: [1, 2, 3].map((x) => ({ x, y: x / 4 + each, low: x / 5 + each, high: x / 3 + each })),
    })),
  },
};

it("is an SVG document of its own, light, without style sheets, classes and variables", () => {
  const text = figureFile(figure);
  expect(text).toMatch(
    /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<!-- .* -->\n<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" font-family='Helvetica/,
  );
  expect(text.replace(/<!--.*-->/, "")).not.toMatch(/var\(|--|class=|style|prefers-color-scheme|color-mix/);
  expect(text).toContain("<title");
  expect(text).toContain("Won &amp; lost");
  // The ground, and the line and the band of each series in its colour.
  expect(text).toContain(`fill="${palettes.light.paper}"`);
  for (const colour of palettes.light.series.slice(0, 2)) {
    expect(text).toMatch(new RegExp(`<path[^>]* fill="none" stroke="${colour}"`));
    expect(text).toMatch(new RegExp(`<path[^>]* fill="${colour}" fill-opacity="\\.16"`));
  }
  // Each text has a colour of the light theme.
  const texts = [...text.matchAll(/<text([^>]*)>/g)].map(([, all]) => all!);
  expect(texts.length).toBeGreaterThan(4);
  for (const all of texts) expect(all).toMatch(/ fill="#[0-9a-f]{6}"/);
});

it("knows every class that the style of charts has", () => {
  const styled = [...chartStyle.matchAll(/svg \.([a-z]+)/g)].map(([, name]) => name!);
  expect(Object.keys(printLooks).toSorted()).toEqual([...new Set(styled)].toSorted());
});

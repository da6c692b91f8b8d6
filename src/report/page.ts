import { type Content, type Markup, markup } from "../figures/markup.ts";
import type { Section } from "./section.ts";
import { style } from "./style.ts";

/** The page of a report: one file, no scripts, nothing fetched. `source` says what it was made from. */
export function page(
  title: string,
  headline: Content,
  sections: readonly Section[],
  source: Markup = markup`<code>metrics.jsonl</code>`,
): string {
  const links = sections.map(
    ({ id, heading }) => markup`<a href="#${id}">${heading}</a>
`,
  );
  const parts = sections.map(
    ({ id, heading, body }) => markup`<section id="${id}"><h2>${heading}</h2>
${body}
</section>
`,
  );
  const files = [
    ...Map.groupBy(
      sections.flatMap(({ tables }) => tables),
      ({ name }) => name,
    ),
  ]
    .map(([, [first]]) => first!)
    .map(
      ({
        name,
        title: what,
      }) => markup`<li><a href="data/${name}.csv">${name}.csv</a> · <a href="data/${name}.parquet">parquet</a> <span>${what}</span></li>
`,
    );
  return wholePage(
    title,
    style,
    markup`${headline}<nav aria-label="Sections">
${links}</nav>
${parts}${
      files.length > 0
        ? markup`<section id="data"><h2>Data</h2><ul class="data">
${files}</ul></section>
`
        : undefined
    }`,
    markup`Made by ludoflow from ${source}. Score is the return of a game, in the game's own units.`,
  );
}

/** A page with this style and content, that runs no scripts and fetches nothing. */
export function wholePage(title: string, look: Markup, content: Markup, footer: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${look}</style>
</head>
<body>
<main>
${content}</main>
<footer>${footer}</footer>
</body>
</html>
`.text;
}

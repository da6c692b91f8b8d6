import { type Markup, markup } from "./markup.ts";
import type { Section } from "./section.ts";
import { style } from "./style.ts";

/** The whole page: one file, no scripts, nothing fetched. */
export function page(title: string, headline: Markup, sections: readonly Section[]): string {
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
  const files = sections
    .flatMap(({ tables }) => tables)
    .map(
      ({
        name,
        title: what,
      }) => markup`<li><a href="data/${name}.csv">${name}.csv</a> · <a href="data/${name}.parquet">parquet</a> <span>${what}</span></li>
`,
    );
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
${headline}<nav aria-label="Sections">
${links}</nav>
${parts}${
    files.length > 0
      ? markup`<section id="data"><h2>Data</h2><ul class="data">
${files}</ul></section>
`
      : undefined
  }</main>
<footer>Made by ludoflow from <code>metrics.jsonl</code>. Score is the return of a game, in the game's own units.</footer>
</body>
</html>
`.text;
}

/** Text that is HTML or SVG already; everything else is escaped when it is put into markup. */
export class Markup {
  #text: string | (() => string);

  /** A function makes the text when it is first wanted. */
  constructor(text: string | (() => string)) {
    this.#text = text;
  }

  get text(): string {
    if (typeof this.#text === "function") this.#text = this.#text();
    return this.#text;
  }

  toString(): string {
    return this.text;
  }
}

/** What a template may contain: text and numbers are escaped, nothing is printed for undefined and false. */
export type Content = Markup | string | number | undefined | false | readonly Content[];

/** Markup from a template: `markup\`<td>${cell}</td>\`` escapes the cell, in elements and in quoted attributes alike. */
export function markup(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return new Markup(String.raw({ raw: parts }, ...contents.map(render)));
}

function render(content: Content): string {
  if (content === undefined || content === false) return "";
  if (content instanceof Markup) return content.text;
  if (Array.isArray(content)) return content.map(render).join("");
  return escapeMarkup(String(content));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text made safe for HTML and SVG; characters that XML forbids become U+FFFD. */
export function escapeMarkup(text: string): string {
  return (
    text
      .replaceAll(/[&<>"']/g, (character) => entities[character]!)
      // oxlint-disable-next-line no-control-regex -- these are the characters to be found
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd")
  );
}

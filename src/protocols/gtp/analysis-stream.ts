import type { AnalysisForm } from "./analysis.ts";
import type { GtpStream } from "./dialect.ts";
import type { WatchedSearch } from "./watched-search.ts";

/** A search works for so many milliseconds before it looks for a line of input. */
const SLICE_MS = 20;

/**
 * A search while it runs: a line in every `intervalMs`, and one line at least. Without a search, as for a seat that has
 * no move, there are no lines.
 */
export class AnalysisStream implements GtpStream {
  readonly #search: WatchedSearch | undefined;
  readonly #intervalMs: number;
  readonly #form: AnalysisForm;
  #isSearching: boolean;
  #due: number;
  #hasWritten = false;

  constructor(search: WatchedSearch | undefined, intervalMs: number, form: AnalysisForm) {
    this.#search = search;
    this.#intervalMs = intervalMs;
    this.#form = form;
    this.#isSearching = search !== undefined;
    this.#due = performance.now() + intervalMs;
  }

  next(): string | undefined {
    const search = this.#search;
    if (search === undefined || !this.#isSearching) return undefined;
    this.#isSearching = search.continue(Math.max(1, Math.min(SLICE_MS, this.#intervalMs)));
    return this.#isSearching && performance.now() < this.#due ? "" : this.#line(search);
  }

  end(): string {
    if (this.#hasWritten || this.#search === undefined) return "";
    return this.next() || this.#line(this.#search);
  }

  #line(search: WatchedSearch): string {
    this.#due = performance.now() + this.#intervalMs;
    this.#hasWritten = true;
    return `${this.#form(search.moves())}\n`;
  }
}

/**
 * A list that never changes; lists that continue it share its memory.
 *
 * Appending to the longest list of a family copies nothing, so n appends take O(n) in total. Appending to a shorter one
 * copies it.
 */
export class GrowingList<T> implements Iterable<T> {
  readonly #items: T[];
  /** Number of items. The memory may hold more: those of lists that continue this one. */
  readonly length: number;

  private constructor(items: T[], length: number) {
    this.#items = items;
    this.length = length;
  }

  /** A list without items. */
  static empty<T>(): GrowingList<T> {
    return new GrowingList<T>([], 0);
  }

  /** The list with one more item at its end. */
  append(item: T): GrowingList<T> {
    const items = this.#items.length === this.length ? this.#items : this.#items.slice(0, this.length);
    items.push(item);
    return new GrowingList(items, this.length + 1);
  }

  /** The list's first items, at most all of them. */
  first(count: number): GrowingList<T> {
    return count >= this.length ? this : new GrowingList(this.#items, count);
  }

  /** The item at a place, counted from the end if it is negative; undefined outside the list. */
  at(place: number): T | undefined {
    const index = place < 0 ? this.length + place : place;
    return index < this.length ? this.#items[index] : undefined;
  }

  *[Symbol.iterator](): Iterator<T, undefined> {
    for (let i = 0; i < this.length; i++) yield this.#items[i]!;
  }
}

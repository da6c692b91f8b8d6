/**
 * The loaded versions of a net's weights, each with what computes it: at most `most`. The least recently used version is
 * the first to leave.
 */
export class LoadedVersions<T> {
  readonly #most: number;
  /** In the order of their last use, which is the order of their insertion. */
  readonly #loaded = new Map<number, T>();

  /** Holds at most this number of versions, 1 or more. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Number of versions that are loaded. */
  get size(): number {
    return this.#loaded.size;
  }

  /** What computes a version, or undefined; counts as a use. */
  use(version: number): T | undefined {
    const found = this.#loaded.get(version);
    if (found === undefined) return undefined;
    this.#loaded.delete(version);
    this.#loaded.set(version, found);
    return found;
  }

  /** Makes room for one more version: removes the least recently used one, and returns what computes it. */
  makeRoom(): T | undefined {
    if (this.#loaded.size < this.#most) return undefined;
    const [oldest] = this.#loaded.keys();
    return this.remove(oldest!);
  }

  /** Adds a version that is not loaded, which counts as a use. */
  add(version: number, loaded: T): void {
    this.#loaded.set(version, loaded);
  }

  /** Removes a version and returns what computes it; undefined if it is not loaded. */
  remove(version: number): T | undefined {
    const found = this.#loaded.get(version);
    this.#loaded.delete(version);
    return found;
  }
}

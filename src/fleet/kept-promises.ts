/** Promises by key: each is made once, and kept until it fails, so that the next call tries again. */
export class KeptPromises<T> {
  readonly #kept = new Map<string, Promise<T>>();

  /** The promise of a key; if there is none, the one that `make` makes. */
  get(key: string, make: () => Promise<T>): Promise<T> {
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = make();
      this.#kept.set(key, kept);
      kept.catch(() => this.#kept.delete(key));
    }
    return kept;
  }

  /** Forgets a promise; returns it, if there was one. */
  drop(key: string): Promise<T> | undefined {
    const kept = this.#kept.get(key);
    this.#kept.delete(key);
    return kept;
  }

  /** Forgets all promises; returns them. */
  dropAll(): Promise<T>[] {
    const all = [...this.#kept.values()];
    this.#kept.clear();
    return all;
  }
}

/** What a stage's code does next: it asks for an item, gives one, or ends. */
export type StageStep<O> =
  | { readonly does: "asks" }
  | { readonly does: "gives"; readonly item: O }
  | { readonly does: "ends" };

/**
 * Runs the code of a stage step by step. The code is an async generator over the items that it is given. Between two steps it
 * waits: for an item that it has asked for, or for the reader of an item that it has given.
 */
export class StageSession<I, O> {
  readonly #steps: AsyncIterator<O, unknown, undefined>;
  /** Responds to the code's question for an item; undefined while it asks for none. */
  #respond: ((result: IteratorResult<I, undefined>) => void) | undefined;
  #ended = false;
  /** The step under way, if the code still works. */
  #step: { resolve(step: StageStep<O>): void; reject(error: unknown): void } | undefined;

  /** `code` makes the generator from its input. */
  constructor(code: (items: AsyncIterable<I>) => AsyncIterable<O>) {
    const items: AsyncIterableIterator<I> = {
      [Symbol.asyncIterator]: () => items,
      next: () => this.#ask(),
      return: () => Promise.resolve({ done: true, value: undefined }),
    };
    this.#steps = code(items)[Symbol.asyncIterator]();
  }

  /** Lets the code continue until its next step; `answer` is the item that it has asked for. Rejects with what it throws. */
  next(answer?: I): Promise<StageStep<O>> {
    return new Promise((resolve, reject) => {
      this.#step = { resolve, reject };
      if (this.#respond !== undefined) this.#answer(answer);
      else
        this.#steps.next().then(
          ({ done, value }) =>
            this.#resolve(done === true ? { does: "ends" } : { does: "gives", item: value }),
          (error: unknown) => this.#fail(error),
        );
    });
  }

  /** Ends the code: its question for an item gets no item, and a generator that waits for its reader returns. */
  end(): void {
    this.#ended = true;
    if (this.#respond !== undefined) this.#answer(undefined);
    // What the code does from here on is ignored.
    this.#steps.return?.().catch(() => undefined);
  }

  #ask(): Promise<IteratorResult<I, undefined>> {
    if (this.#ended) return Promise.resolve({ done: true, value: undefined });
    if (this.#respond !== undefined)
      return Promise.reject(new Error("it asks for two items at once: read them by one for await"));
    return new Promise((resolve) => {
      this.#respond = resolve;
      this.#resolve({ does: "asks" });
    });
  }

  #answer(item: I | undefined): void {
    const respond = this.#respond!;
    this.#respond = undefined;
    respond(item === undefined ? { done: true, value: undefined } : { done: false, value: item });
  }

  #resolve(step: StageStep<O>): void {
    const waiting = this.#step;
    this.#step = undefined;
    waiting?.resolve(step);
  }

  #fail(error: unknown): void {
    const waiting = this.#step;
    this.#step = undefined;
    waiting?.reject(error);
  }
}

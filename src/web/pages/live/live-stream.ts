/** An event of a topic; its value is JSON. */
export interface LiveEvent {
  readonly topic: string;
  readonly event: string;
  readonly json: string;
}

/** The server sends a sign of life every two seconds; a stream without one for so long is opened again. */
const SILENCE_MS = 6000;
/** The time between two tries, and between two requests for the newest state if there can be no stream. */
const AGAIN_MS = 1000;
const POLL_MS = 2000;
/** After so long without a stream, one is tried again. */
const POLLED_MS = 30_000;

/**
 * Follows topics of the server by one connection, which is opened again whenever it breaks or the topics change; it then brings the
 * newest state of each. If the server, or `mayStream`, allows no stream, the newest state is asked for again and again.
 */
export class LiveStream {
  readonly #onEvent: (event: LiveEvent) => void;
  readonly #onEnd: () => void;
  readonly #mayStream: () => Promise<boolean>;
  /** Undefined: nothing is followed, and there is no connection. */
  #topics: readonly string[] | undefined;
  #connection: AbortController | undefined;
  #polledFrom: number | undefined;

  /** `onEnd` is called when a connection has failed or was refused; it is tried again without further ado. */
  constructor(
    onEvent: (event: LiveEvent) => void,
    onEnd: () => void,
    mayStream: () => Promise<boolean> = () => Promise.resolve(true),
  ) {
    this.#onEvent = onEvent;
    this.#onEnd = onEnd;
    this.#mayStream = mayStream;
  }

  /** Whether it has a stream, or is about to have one. */
  get streams(): boolean {
    return this.#connection !== undefined && this.#polledFrom === undefined;
  }

  /** Follows these topics, and no other ones, from their newest state on; undefined: nothing. */
  follow(topics: readonly string[] | undefined): void {
    this.#topics = topics;
    this.#connection?.abort();
    this.#connection = undefined;
    if (topics === undefined) return;
    const connection = new AbortController();
    this.#connection = connection;
    void this.#keep(topics, connection.signal);
  }

  /** Opens the connection again, at once. */
  again(): void {
    this.follow(this.#topics);
  }

  async #keep(topics: readonly string[], stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const polls = await this.#polls();
      if (stopped.aborted) return;
      const status = await this.#connect(topics, polls, stopped);
      if (stopped.aborted) return;
      if (status === 503) this.#polledFrom = performance.now();
      const polled = polls && status === 200;
      if (!polled) this.#onEnd();
      await new Promise((done) => setTimeout(done, polled ? POLL_MS : AGAIN_MS));
    }
  }

  async #polls(): Promise<boolean> {
    const now = performance.now();
    if (this.#polledFrom !== undefined && now - this.#polledFrom < POLLED_MS) return true;
    this.#polledFrom = (await this.#mayStream()) ? undefined : now;
    return this.#polledFrom !== undefined;
  }

  /** Reads an answer to its end; returns its status, 0 if there was none or it broke. */
  async #connect(topics: readonly string[], once: boolean, stopped: AbortSignal): Promise<number> {
    const query = [...topics.map((topic) => `topic=${encodeURIComponent(topic)}`), ...(once ? ["once"] : [])];
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    try {
      const signal = AbortSignal.any([stopped, silence.signal]);
      const response = await fetch(`/api/live?${query.join("&")}`, { signal, cache: "no-store" });
      if (!response.ok || response.body === null) return response.status;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let unread: string[] = [];
      for (;;) {
        const { done, value } = (await reader.read()) as { readonly done: boolean; readonly value: string };
        if (done) return 200;
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        const [first = "", ...more] = value.split("\n");
        unread.push(first);
        for (const start of more) {
          this.#read(unread.join(""));
          unread = [start];
        }
      }
    } catch {
      return 0;
    } finally {
      clearTimeout(timer);
    }
  }

  #read(line: string): void {
    const topic = line.slice(0, line.indexOf(" "));
    const rest = line.slice(topic.length + 1);
    const event = rest.slice(0, rest.indexOf(" "));
    this.#onEvent({ topic, event, json: rest.slice(event.length + 1) });
  }
}

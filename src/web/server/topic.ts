import type { Frame } from "./event-stream.ts";
import type { Site } from "./route.ts";

/** What a topic gets to follow something for one browser. */
export interface Follower {
  readonly site: Site;
  /** The parts of the topic behind its name, decoded: `run/quickstart/A` gives `["quickstart", "A"]`. */
  readonly rest: readonly string[];
  /** The browser, as games know it. */
  readonly visitor: string;
  readonly send: (frames: readonly Frame[]) => void;
}

/** Something that pages follow live. Topics are listed in `routes/live.ts`. */
export interface Topic {
  readonly name: string;
  /**
   * Sends the newest state, and from then on what changes. Resolves when that state is sent, to a function that ends it. Throws
   * RequestRefused if there is no such thing now.
   */
  readonly follow: (follower: Follower) => Promise<() => void>;
}

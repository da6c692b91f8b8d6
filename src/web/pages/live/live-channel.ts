import { type LiveEvent, LiveStream } from "./live-stream.ts";
import type { TabMessage, WorkerMessage } from "./tabs-worker.ts";

/** How a tab follows the server. */
export interface LiveChannel {
  /** Follows these topics, and no other ones; undefined: nothing. To be called again every few seconds while the tab is shown. */
  readonly follow: (topics: readonly string[] | undefined) => void;
  /** Opens the connection again, at once. */
  readonly again: () => void;
}

/** What a tab receives: events, and the failure of the connection. */
export interface LiveListener {
  readonly event: (event: LiveEvent) => void;
  readonly ended: () => void;
}

/** Browsers without a SharedWorker: so many tabs have streams of their own. A browser has six connections for each host. */
const MOST_STREAMS = 3;
/** The time in which other tabs say that they have a stream. */
const ANSWER_MS = 100;

/** Opens the channel: by the connection of all tabs, or where a browser has no SharedWorker by one of this tab. */
export function openLive(listener: LiveListener): LiveChannel {
  if (typeof SharedWorker === "undefined") return ownChannel(listener);
  try {
    return workerChannel(listener);
  } catch {
    return ownChannel(listener);
  }
}

function workerChannel(listener: LiveListener): LiveChannel {
  let topics: readonly string[] | undefined;
  let own: LiveChannel | undefined;
  const worker = new SharedWorker(new URL("./tabs-worker.ts", import.meta.url), { name: "ludoflow" });
  worker.port.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) =>
    data === undefined ? listener.ended() : listener.event(data),
  );
  worker.port.start();
  // Its script has not come, or the browser refuses workers.
  worker.addEventListener("error", () => {
    own = ownChannel(listener);
    own.follow(topics);
  });
  const send = (message: TabMessage) => worker.port.postMessage(message);
  return {
    follow: (now) => {
      topics = now;
      if (own === undefined) send({ topics });
      else own.follow(topics);
    },
    again: () => (own === undefined ? send({ topics, again: true }) : own.again()),
  };
}

function ownChannel({ ended, event }: LiveListener): LiveChannel {
  let followed: string | undefined;
  const others = new BroadcastChannel("ludoflow-streams");
  let answers = 0;
  const stream = new LiveStream(event, ended, async () => {
    answers = 0;
    others.postMessage("who has a stream?");
    await new Promise((done) => setTimeout(done, ANSWER_MS));
    return answers < MOST_STREAMS;
  });
  others.addEventListener("message", ({ data }: MessageEvent<string>) => {
    if (data === "a stream") answers++;
    else if (stream.streams) others.postMessage("a stream");
  });
  return {
    follow: (topics) => {
      const now = topics?.join(" ");
      if (now !== followed) stream.follow(topics);
      followed = now;
    },
    again: () => stream.again(),
  };
}

import { setTimeout as after } from "node:timers/promises";
import { EventStream, frameOf } from "../event-stream.ts";
import { RequestRefused } from "../responses.ts";
import type { Route } from "../route.ts";
import type { Topic } from "../topic.ts";
import { visitorOf } from "../visitor.ts";
import { gameTopic } from "./play.ts";
import { runTopic } from "./run.ts";
import { runsTopic } from "./runs.ts";

const topics: readonly Topic[] = [runsTopic, runTopic, gameTopic];

/** The most topics of a stream. */
const MOST_TOPICS = 32;
/** What is not there is looked for again after so long. In milliseconds. */
const AGAIN_MS = 1000;

/**
 * What the tabs of a browser follow, in one answer: `?topic=runs&topic=run/NAME/ID`. It does not end, unless `once` asks for the newest
 * state alone.
 */
export const liveRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/live",
    answer: async (request) => {
      const { query, response, site } = request;
      const asked = query.getAll("topic");
      if (asked.length > MOST_TOPICS)
        throw new RequestRefused(400, `A stream has at most ${MOST_TOPICS} topics.`);
      const followed = asked.map(parsedTopic);
      const once = query.has("once");
      const visitor = visitorOf(request);
      const leaving: (() => void)[] = [];
      const ending = new AbortController();
      const stream = new EventStream(response, () => {
        ending.abort();
        for (const leave of leaving) leave();
      });
      const follow = async ({ rest, text, topic }: ParsedTopic): Promise<void> => {
        for (let told = false; !ending.signal.aborted; told = true)
          try {
            const leave = await topic.follow({
              site,
              rest,
              visitor,
              send: (frames) => stream.send(text, frames),
            });
            if (ending.signal.aborted) leave();
            else leaving.push(leave);
            return;
          } catch (error) {
            if (!(error instanceof RequestRefused)) throw error;
            // It may come later: a run that has just been started, a game of a server that was started again.
            if (!told) stream.send(text, [frameOf("gone", JSON.stringify({ message: error.message }))]);
            if (once) return;
            await after(AGAIN_MS, undefined, { signal: ending.signal }).catch(() => {});
          }
      };
      await Promise.all(followed.map(follow));
      if (once) stream.end();
    },
  },
];

interface ParsedTopic {
  readonly topic: Topic;
  /** As the browser has named it. */
  readonly text: string;
  readonly rest: readonly string[];
}

/** The topic of a text: its name, then parts that are encoded as those of addresses. Throws RequestRefused. */
function parsedTopic(text: string): ParsedTopic {
  const [name, ...parts] = text.split("/");
  const topic = topics.find((each) => each.name === name);
  // Only what `encodeURIComponent` leaves: the text is sent back in lines.
  if (topic === undefined || !/^[\w\-.!~*'()%/]+$/.test(text))
    throw new RequestRefused(400, "The request names a topic that is not known.");
  try {
    return { topic, text, rest: parts.map(decodeURIComponent) };
  } catch {
    throw new RequestRefused(400, "The request names a topic that is not well formed.");
  }
}

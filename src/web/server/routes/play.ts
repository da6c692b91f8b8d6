import type { PlayAct } from "../../views/play-views.ts";
import { frameOf } from "../event-stream.ts";
import type { PlayWish } from "../play/play-sessions.ts";
import { prepareTable } from "../play/table-host.ts";
import { sendJson } from "../responses.ts";
import type { Route } from "../route.ts";
import type { Topic } from "../topic.ts";
import { visitorOf } from "../visitor.ts";

/** `game/ID`: a game in progress, as its browser may see it. */
export const gameTopic: Topic = {
  name: "game",
  follow: async ({ rest, send, site, visitor }) => {
    const session = await site.play.at(rest[0]);
    return session.watch(visitor, (view) => send([frameOf("game", JSON.stringify(view))]));
  },
};

/** Games against players, and of people with each other. */
export const playRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/api/play/offers",
    answer: async ({ response, site }) => {
      prepareTable();
      sendJson(response, await site.play.offers.view());
    },
  },
  {
    method: "POST",
    path: "/api/play/start",
    answer: async (request) => {
      const { id } = await request.site.play.start(visitorOf(request), Object(request.body) as PlayWish);
      sendJson(request.response, { id });
    },
  },
  {
    method: "POST",
    path: "/api/play/act",
    answer: async (request) => {
      const session = await request.site.play.at(request.rest[0]);
      const act = Object(request.body) as PlayAct;
      const visitor = visitorOf(request);
      if (act.do === "player") {
        session.changePlayer(visitor, await request.site.play.heldPlayer(act.player));
      } else await session.act(visitor, act);
      sendJson(request.response, {});
    },
  },
  {
    // Only the person who asks gets the answer: the topic of a game never has it.
    method: "POST",
    path: "/api/play/advice",
    answer: async (request) => {
      const session = await request.site.play.at(request.rest[0]);
      sendJson(request.response, await session.advise(visitorOf(request)));
    },
  },
];

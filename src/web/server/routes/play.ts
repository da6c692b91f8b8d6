import type { PlayAct } from "../../views/play-views.ts";
import { EventStream } from "../event-stream.ts";
import type { PlayWish } from "../play/play-sessions.ts";
import { newVisitor } from "../play/random-names.ts";
import { prepareTable } from "../play/table-host.ts";
import { RequestRefused, sendJson } from "../responses.ts";
import type { Request, Route } from "../route.ts";

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
    method: "GET",
    path: "/api/play/stream",
    answer: (request) => {
      const session = request.site.play.at(request.rest[0]);
      const visitor = visitorOf(request);
      let leave = () => {};
      const stream = new EventStream(request.response, () => leave());
      leave = session.watch(visitor, (view) => stream.send("game", view));
    },
  },
  {
    method: "POST",
    path: "/api/play/act",
    answer: async (request) => {
      const session = request.site.play.at(request.rest[0]);
      const act = Object(request.body) as PlayAct;
      const visitor = visitorOf(request);
      if (act.do === "player") {
        const player = await request.site.play.offers.player(act.player);
        if (player === undefined) throw new RequestRefused(404, "There is no such player here any more.");
        session.changePlayer(visitor, player);
      } else await session.act(visitor, act);
      sendJson(request.response, {});
    },
  },
  {
    // Only the person who asks gets the answer: the stream of a game never has it.
    method: "POST",
    path: "/api/play/advice",
    answer: async (request) => {
      const session = request.site.play.at(request.rest[0]);
      sendJson(request.response, await session.advise(visitorOf(request)));
    },
  },
];

/**
 * The browser that asks, by its own cookie. The token lets all its holders play; this cookie identifies each of them, so that a
 * seat's hand is shown only to the person who sits there.
 */
function visitorOf({ incoming, response }: Request): string {
  // All ports of a host share their cookies.
  const name = `ludoflow-player-${incoming.socket.localPort}`;
  const cookies = (incoming.headers.cookie ?? "").split(";").map((each) => each.trim());
  const found = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  if (found !== undefined && /^[\w-]{32}$/.test(found)) return found;
  const visitor = newVisitor();
  response.setHeader("Set-Cookie", `${name}=${visitor}; Path=/; HttpOnly; SameSite=Strict`);
  return visitor;
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { FollowedRuns } from "./followed-runs.ts";
import type { PlaySessions } from "./play/play-sessions.ts";
import { RequestRefused } from "./responses.ts";

/** What a route gets: the request, and what the server knows. */
export interface Request {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  /** The parts of the path behind the route's own, decoded: the route `/api/run` gets `["quickstart", "A"]`. */
  readonly rest: readonly string[];
  readonly query: URLSearchParams;
  /** The body as JSON, of requests that have one; undefined for others. */
  readonly body: unknown;
  readonly site: Site;
}

/** What a page server serves. */
export interface Site {
  /** The folder that holds the runs, as it was named. */
  readonly folder: string;
  readonly runs: FollowedRuns;
  /** The games that are played on the page. */
  readonly play: PlaySessions;
}

/**
 * One address of the server, and those below it. Routes are listed in `routes/registry.ts`; the longest path that fits
 * answers. A route answers by `send`, `sendJson` or an event stream, or throws RequestRefused.
 */
export interface Route {
  readonly method: "GET" | "POST";
  /** `/api/runs`: without a slash at its end. */
  readonly path: string;
  readonly answer: (request: Request) => void | Promise<void>;
}

/** The route that answers a request, and the rest of the path. Throws RequestRefused. */
export function routeOf(
  routes: readonly Route[],
  method: string,
  path: string,
): { readonly route: Route; readonly rest: readonly string[] } | undefined {
  const fitting = routes
    .filter((route) => path === route.path || path.startsWith(`${route.path}/`))
    .toSorted((a, b) => b.path.length - a.path.length);
  const longest = fitting.filter((route) => route.path.length === fitting[0]!.path.length);
  if (longest.length === 0) return undefined;
  const route = longest.find((each) => each.method === (method === "HEAD" ? "GET" : method));
  if (route === undefined)
    throw new RequestRefused(405, `This address takes ${longest.map((each) => each.method).join(" and ")}.`);
  return { route, rest: pathParts(path.slice(route.path.length)) };
}

/** The decoded parts of a path. Throws RequestRefused. */
function pathParts(path: string): string[] {
  try {
    return path
      .split("/")
      .filter((part) => part !== "")
      .map(decodeURIComponent);
  } catch {
    throw new RequestRefused(400, "The address is not well formed.");
  }
}

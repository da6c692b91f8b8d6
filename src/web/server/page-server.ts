import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { FileCorrupt } from "../../formats/files/file-corrupt.ts";
import { RunFolderInvalid } from "../../graph/folder/run-folder-invalid.ts";
import { Access, newReturnKey } from "./access.ts";
import { type Asset, type Assets, readAssets } from "./assets.ts";
import { Connections } from "./connections.ts";
import { FollowedRuns } from "./followed-runs.ts";
import { PlaySessions } from "./play/play-sessions.ts";
import { rememberedPage, rememberPage } from "./remembered-page.ts";
import { RequestRefused, safetyHeaders, send, sendJson, sendRefusal } from "./responses.ts";
import { type Route, routeOf, type Site } from "./route.ts";
import { routes as allRoutes } from "./routes/registry.ts";

/** The most bytes of a request's head and of its body. */
const MOST_HEAD = 1 << 16;
const MOST_BODY = 1 << 16;

/** A page server that is ready. */
export interface PageServer {
  /** The link that opens the page, with the token: by its own address, or else by the first name that was allowed. */
  readonly link: string;
  /** The links by the names that were allowed. */
  readonly allowed: readonly string[];
  readonly port: number;
  /** Ends all connections. */
  readonly close: () => Promise<void>;
}

/** Options of a page server. */
export interface PageServerOptions {
  /** Default: the port that was remembered, or else any that is free. */
  readonly port?: number;
  /**
   * Whether the port and a key are kept in a file of this user for the next server of the folder, so that open pages find it and come
   * back without its link. Default: no.
   */
  readonly remembers?: boolean;
  /** The address to listen at; default 127.0.0.1, which this machine alone can reach. */
  readonly host?: string;
  /** Names by which browsers may ask for it as well: `lab`, `localhost:8888`. Without a port: its own one. */
  readonly allowHosts?: readonly string[];
  readonly assets?: Assets;
  readonly routes?: readonly Route[];
}

/** Serves the page of the runs in a folder. Throws PageNotBuilt, and the system's error if the port is not available. */
export async function startPageServer(
  folder: string,
  {
    allowHosts = [],
    assets = readAssets(),
    host = "127.0.0.1",
    port,
    remembers = false,
    routes = allRoutes,
  }: PageServerOptions = {},
): Promise<PageServer> {
  const runs = new FollowedRuns(resolve(folder));
  const site: Site = { folder: resolve(folder), runs, play: new PlaySessions(resolve(folder), runs) };
  let access: Access | undefined;
  const limits = {
    requestTimeout: 30_000,
    headersTimeout: 10_000,
    maxHeaderSize: MOST_HEAD,
  };
  const server = createServer(limits, (request, response) => {
    response.on("error", () => {});
    void answer(request, response, { access: access!, assets, connections, routes, site }).catch(
      (error: unknown) => refuse(response, error),
    );
  });
  const connections = new Connections(server);
  const known = remembers ? rememberedPage(folder) : undefined;
  // The port that another program has by now, perhaps the page of a second terminal, stays remembered.
  const taken =
    port === undefined &&
    known !== undefined &&
    (await listening(server, known.port, host).then(
      () => false,
      () => true,
    ));
  if (!server.listening) await listening(server, port ?? 0, host);
  const at = (server.address() as AddressInfo).port;
  const key = remembers ? (known?.key ?? newReturnKey()) : undefined;
  // Pages that are open there are those of another server of the folder, which will find them at its port again.
  const others = known !== undefined && known.port !== at && (taken || (await isListening(known.port, host)));
  if (key !== undefined && !others) rememberPage(folder, { port: at, key });
  const name = host.includes(":") ? `[${host}]` : host;
  const loopback = host === "127.0.0.1" || host === "::1";
  const own = loopback ? ["127.0.0.1", "localhost", "[::1]"] : [name, "127.0.0.1", "localhost"];
  const named = allowHosts.map((each) => (/:\d+$/.test(each) ? each : `${each}:${at}`));
  access = new Access(at, [...own.map((each) => `${each}:${at}`), ...named], key);
  const linkBy = (each: string) => `http://${each}/?token=${access.token}`;
  const allowed = named.map(linkBy);
  return {
    link: isEveryAddress(host) && allowed[0] !== undefined ? allowed[0] : linkBy(`${name}:${at}`),
    allowed,
    port: at,
    close: async () => {
      site.runs.close();
      site.play.close();
      const closed = new Promise((done) => server.close(done));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether an address means all addresses of this machine: it is none that a browser could ask for. */
export function isEveryAddress(host: string): boolean {
  return host === "0.0.0.0" || /^\[?[0:]+\]?$/.test(host);
}

interface Served {
  readonly access: Access;
  readonly connections: Connections;
  readonly assets: Assets;
  readonly routes: readonly Route[];
  readonly site: Site;
}

async function answer(
  incoming: IncomingMessage,
  response: ServerResponse,
  { access, assets, connections, routes, site }: Served,
): Promise<void> {
  const { method = "GET", url = "/" } = incoming;
  const strange = access.refusalOfOrigin(incoming);
  if (strange !== undefined) return sendRefusal(response, strange.status, strange.message);
  const { pathname, searchParams } = parsedAddress(url);
  const token = searchParams.get("token");
  if (token !== null) {
    if (!access.isToken(token))
      return sendRefusal(response, 401, "This link is of another start of the server: open the newest one.");
    searchParams.delete("token");
    const rest = searchParams.toString();
    return send(response, 303, {
      body: "",
      type: "text/plain; charset=utf-8",
      headers: { Location: rest === "" ? pathname : `${pathname}?${rest}`, "Set-Cookie": access.setCookie },
    });
  }
  if (pathname === "/api/return") return await answerReturn(incoming, response, access);
  const unknown = access.refusalOfVisitor(incoming);
  if (unknown !== undefined) return sendRefusal(response, unknown.status, unknown.message);
  connections.admit(incoming.socket);
  // A page without a stream sees by this that there is contact.
  if (pathname === "/api/pulse") return sendJson(response, {});
  if (pathname === "/api/return-key") return sendJson(response, { key: access.returnKey ?? null });
  const found = routeOf(routes, method, pathname);
  if (found !== undefined) {
    const { rest, route } = found;
    const body = method === "POST" ? await jsonBody(incoming) : undefined;
    return await route.answer({ incoming, response, rest, query: searchParams, body, site });
  }
  if (method !== "GET" && method !== "HEAD") throw new RequestRefused(405, "This address takes GET.");
  if (pathname.startsWith("/api/")) throw new RequestRefused(404, "There is no such address.");
  const file = assets.files.get(pathname);
  if (file !== undefined) return sendAsset(incoming, response, file, true);
  if (pathname.startsWith("/assets/")) throw new RequestRefused(404, "There is no such file.");
  // The page itself finds out what an address means.
  sendAsset(incoming, response, assets.index, false);
}

/**
 * The path and the query of a request. Throws RequestRefused if they could be read as the address of another host:
 * `http://host/path`, `//host/path`, and what becomes one of these, as `/\host` and `/.//host` do.
 */
function parsedAddress(url: string): URL {
  // Appended, and not resolved: so the text is a path, whatever is in it.
  const parsed = url.startsWith("/") ? new URL(`http://page${url}`) : undefined;
  if (parsed === undefined || parsed.pathname.startsWith("//"))
    throw new RequestRefused(400, "The address is not well formed.");
  return parsed;
}

/** A page that was open before this server was started: asks for the challenge, then answers it. */
async function answerReturn(
  incoming: IncomingMessage,
  response: ServerResponse,
  access: Access,
): Promise<void> {
  if (incoming.method !== "POST") return sendJson(response, { challenge: access.challenge });
  const { answer } = Object(await jsonBody(incoming)) as { readonly answer?: unknown };
  if (!access.isAnswer(answer, incoming.headers))
    return sendRefusal(response, 401, "This server does not know the page: open its newest link.");
  send(response, 200, {
    body: "{}",
    type: "application/json; charset=utf-8",
    headers: { "Set-Cookie": access.setCookie },
  });
}

function sendAsset(
  { headers }: IncomingMessage,
  response: ServerResponse,
  { body, gzipped, type }: Asset,
  immutable: boolean,
): void {
  const zipped = /\bgzip\b/.test(headers["accept-encoding"] ?? "");
  send(response, 200, {
    body: zipped ? gzipped : body,
    type,
    headers: {
      Vary: "Accept-Encoding",
      ...(zipped ? { "Content-Encoding": "gzip" } : {}),
      ...(immutable ? { "Cache-Control": "private, max-age=31536000, immutable" } : {}),
    },
  });
}

/** The body of a request as JSON. Throws RequestRefused. */
async function jsonBody(incoming: IncomingMessage): Promise<unknown> {
  if (!/^application\/json\b/.test(incoming.headers["content-type"] ?? ""))
    throw new RequestRefused(415, "The body must be JSON.");
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of incoming as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > MOST_BODY) break;
      parts.push(part);
    }
  } catch {
    throw new RequestRefused(400, "Request body was truncated.");
  }
  if (bytes > MOST_BODY) throw new RequestRefused(413, `The body is longer than ${MOST_BODY} bytes.`);
  try {
    return JSON.parse(Buffer.concat(parts).toString("utf8"));
  } catch {
    throw new RequestRefused(400, "Invalid JSON.");
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (error instanceof RequestRefused)
    return sendRefusal(response, error.status, error.message, error.details);
  if (error instanceof RunFolderInvalid || error instanceof FileCorrupt)
    return sendRefusal(response, 409, error.message);
  const trace = (error as Error).stack ?? String(error);
  process.stderr.write(`Internal error in ludoflow. Please report it with this stack trace:\n${trace}\n`);
  if (response.headersSent) response.destroy();
  else {
    const text = "Internal error in ludoflow. Its terminal shows the stack trace.";
    response.writeHead(500, { "Content-Type": "text/plain; charset=utf-8", ...safetyHeaders() });
    response.end(`${text}\n`);
  }
}

/** Whether a program listens at a port of this machine. */
async function isListening(port: number, host: string): Promise<boolean> {
  const probe = createServer();
  return await listening(probe, port, host).then(
    () => new Promise<boolean>((done) => probe.close(() => done(false))),
    ({ code }: NodeJS.ErrnoException) => code === "EADDRINUSE",
  );
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

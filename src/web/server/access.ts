import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is refused: the status of HTTP, and a sentence for people. */
export interface AccessRefusal {
  readonly status: 400 | 401 | 403 | 421;
  readonly message: string;
}

/**
 * Access to a page server: only browsers that were given the token may use it.
 *
 * The token comes once, in the link that is printed. The browser keeps it as a cookie that scripts cannot read, and the
 * address no longer holds it. The cookie is named after the port, because all ports of a host share their cookies.
 *
 * Each start of a server has its own token, since a browser sends its cookie to whatever listens at the port meanwhile. A page
 * that is open when the server is started again comes back by a key that it keeps in its memory and never sends again: it answers the
 * new server's challenge with a digest of the challenge, its address and the key.
 */
export class Access {
  /** 192 bits, as 32 letters. It decides about access alone: no result of a run depends on it. */
  readonly token: string = randomBytes(24).toString("base64url");
  /** What an open page must answer to come back: new with each start, so that no answer is valid twice. */
  readonly challenge: string = randomBytes(24).toString("base64url");
  /** The key by which pages with access come back to the next server of the folder; undefined if they cannot. */
  readonly returnKey: string | undefined;
  readonly #hosts: ReadonlySet<string>;
  readonly #cookie: string;

  /** `hosts` are the names under which the server, which listens at `port`, may be asked, each with the port that browsers name. */
  constructor(port: number, hosts: readonly string[], returnKey?: string) {
    this.returnKey = returnKey;
    this.#cookie = `ludoflow-${port}`;
    // Browsers leave out the usual ports of http and https.
    this.#hosts = new Set(
      hosts.flatMap((host) => [host.toLowerCase(), host.toLowerCase().replace(/:(?:80|443)$/, "")]),
    );
  }

  /** The header that gives a browser the token. */
  get setCookie(): string {
    return `${this.#cookie}=${this.token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether a text is the token, in a time that does not depend on how much of it is right. */
  isToken(text: string): boolean {
    return isSecret(text, this.token);
  }

  /** Whether an answer shows that a page, which was opened at the host of this request, has the key. */
  isAnswer(answer: unknown, { host = "" }: IncomingMessage["headers"]): boolean {
    if (this.returnKey === undefined || typeof answer !== "string") return false;
    const key = this.returnKey;
    return originsOf(host).some((origin) =>
      isSecret(answer, createHmac("sha256", key).update(`${this.challenge} ${origin}`).digest("hex")),
    );
  }

  /**
   * Refuses requests that name another host: a page elsewhere can have its own name lead to this machine (DNS rebinding). Refuses
   * requests that come from pages of other origins.
   */
  refusalOfOrigin({
    headers,
    method,
  }: Pick<IncomingMessage, "headers" | "method">): AccessRefusal | undefined {
    const { host, origin } = headers;
    if (host === undefined || !this.#hosts.has(host.toLowerCase()))
      return {
        status: 421,
        message:
          "Unknown host. Use the address printed by ludoflow, or start it with --allow-host and the name and port of this address.",
      };
    if (origin !== undefined && !originsOf(host).includes(origin.toLowerCase()))
      return { status: 403, message: "This request comes from another page." };
    // Browsers send the origin with all requests that may change something.
    if (origin === undefined && method !== "GET" && method !== "HEAD")
      return { status: 403, message: "A request that changes something needs its origin." };
    const site = headers["sec-fetch-site"];
    if (method !== "GET" && method !== "HEAD" && site !== undefined && site !== "same-origin")
      return { status: 403, message: "This request comes from another page." };
    return undefined;
  }

  /** Refuses requests without the cookie. */
  refusalOfVisitor({ headers }: Pick<IncomingMessage, "headers">): AccessRefusal | undefined {
    const cookies = (headers.cookie ?? "").split(";").map((each) => each.trim());
    const found = cookies.find((each) => each.startsWith(`${this.#cookie}=`));
    if (found !== undefined && this.isToken(found.slice(this.#cookie.length + 1))) return undefined;
    return {
      status: 401,
      message: "Open the link that ludoflow has printed: it holds the token that this page needs.",
    };
  }
}

/** The origins of pages of this server that were asked for by a host: a proxy before it may encrypt. */
function originsOf(host: string): readonly string[] {
  return [`http://${host.toLowerCase()}`, `https://${host.toLowerCase()}`];
}

/** A key by which pages come back. It decides about access alone: no result of a run depends on it. */
export function newReturnKey(): string {
  return randomBytes(32).toString("base64url");
}

/** Whether two texts are equal, in a time that does not depend on how much of them is. */
function isSecret(text: string, secret: string): boolean {
  const [given, known] = [Buffer.from(text), Buffer.from(secret)];
  return given.length === known.length && timingSafeEqual(given, known);
}

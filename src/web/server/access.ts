import { randomBytes, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Why a request is refused: the status of HTTP, and a sentence for people. */
export interface AccessRefusal {
  readonly status: 400 | 401 | 403 | 421;
  readonly message: string;
}

/**
 * Who may use a page server: browsers that were given the token.
 *
 * The token comes once, in the link that is printed. The browser keeps it as a cookie that scripts cannot read, and the
 * address no longer holds it. The cookie is named after the port, because all ports of a host share their cookies.
 */
export class Access {
  /** 192 bits, as 32 letters. It decides about access alone: no result of a run depends on it. */
  readonly token: string = randomBytes(24).toString("base64url");
  readonly #hosts: ReadonlySet<string>;
  readonly #cookie: string;

  /** `hosts` are the names, without the port, under which the server may be asked. */
  constructor(port: number, hosts: readonly string[]) {
    this.#cookie = `ludoflow-${port}`;
    this.#hosts = new Set(hosts.flatMap((host) => [`${host}:${port}`, ...(port === 80 ? [host] : [])]));
  }

  /** The header that gives a browser the token. */
  get setCookie(): string {
    return `${this.#cookie}=${this.token}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Whether a text is the token, in a time that does not tell how much of it is right. */
  isToken(text: string): boolean {
    const [given, token] = [Buffer.from(text), Buffer.from(this.token)];
    return given.length === token.length && timingSafeEqual(given, token);
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
        message: "This server answers under the address that it has printed, and no other.",
      };
    if (origin !== undefined && origin.toLowerCase() !== `http://${host.toLowerCase()}`)
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

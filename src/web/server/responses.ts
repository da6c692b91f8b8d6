import type { ServerResponse } from "node:http";

/** A request that cannot be answered as it is meant; the message says why, for people. */
export class RequestRefused extends Error {
  readonly status: number;
  /** Further data of the answer, as JSON. */
  readonly details: object;

  constructor(status: number, message: string, details: object = {}) {
    super(message);
    this.name = "RequestRefused";
    this.status = status;
    this.details = details;
  }
}

/** What a page may do: only what this server sends, no script or style in the page itself, in no frame of another page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** For documents from a run's folder, which a stranger may have written: no script, no form, their own origin. */
export const DOCUMENT_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends a whole answer with the headers of safety. */
export function send(
  response: ServerResponse,
  status: number,
  {
    body,
    headers = {},
    policy = POLICY,
    type,
  }: {
    readonly body: string | Uint8Array;
    readonly type: string;
    readonly policy?: string;
    readonly headers?: Readonly<Record<string, string>>;
  },
): void {
  response.writeHead(status, {
    "Content-Type": type,
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...safetyHeaders(policy),
    ...headers,
  });
  response.end(response.req.method === "HEAD" ? undefined : body);
}

/** Sends JSON. */
export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  send(response, status, { body: JSON.stringify(value), type: "application/json; charset=utf-8" });
}

/** Sends the reason of a refusal: as JSON to scripts, as a sentence to people. */
export function sendRefusal(
  response: ServerResponse,
  status: number,
  message: string,
  details: object = {},
): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const forScripts = response.req.url?.startsWith("/api/") === true;
  if (forScripts) sendJson(response, { message, ...details }, status);
  else send(response, status, { body: `${message}\n`, type: "text/plain; charset=utf-8" });
}

/** The headers that every answer has. */
export function safetyHeaders(policy = POLICY): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": policy,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}

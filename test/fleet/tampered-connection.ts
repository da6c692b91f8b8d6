import type { Msg, NatsConnection } from "@nats-io/transport-node";

/** Sends a request as it is. */
export type Send = (bytes: Uint8Array) => Promise<Msg>;

/**
 * A connection of a joiner whose results go through `tamper`, with the key of their task: a joiner that lies, sends rubbish, or
 * says nothing. What `tamper` returns is the answer that the joiner gets.
 */
export function tampered(
  connection: NatsConnection,
  tamper: (key: string, bytes: Uint8Array, send: Send) => Promise<Msg>,
): NatsConnection {
  return new Proxy(connection, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "request")
        return (subject: string, bytes: Uint8Array, options: object) => {
          const send: Send = (other) => target.request(subject, other, options as never);
          const key = /^lf\.result\.[^.]+\.[^.]+\.(.+)$/.exec(subject)?.[1];
          return key === undefined ? send(bytes) : tamper(key, bytes, send);
        };
      return typeof value === "function" ? (value as () => unknown).bind(target) : value;
    },
  });
}

/** What the run answers to a result that it takes. */
export const taken = { data: new TextEncoder().encode('{"verdict":"taken"}') } as Msg;

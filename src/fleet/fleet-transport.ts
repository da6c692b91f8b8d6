import { createConnection, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import {
  NatsConnectionImpl,
  type NatsConnection,
  type NodeConnectionOptions,
  Parser,
  parseSemVer,
  type ServerInfo,
  setTransportFactory,
} from "@nats-io/transport-node";
import { nodeResolveHost, NodeTransport } from "@nats-io/transport-node/lib/node_transport.js";

/** Milliseconds after which no further address is tried: a server may name others without end. The last try takes its own time. */
const LAST_TRY_MS = 20_000;
/** The most bytes before a server has said what it is. */
const MOST_INFO = 1 << 20;

/** What listens at an address speaks something else than NATS. */
class NoNatsServer extends Error {
  constructor() {
    super("no NATS server");
    this.name = "NoNatsServer";
  }
}

/** Connects as the client's `connect` does, and leaves no socket open if that fails. */
export async function connectNats(options: NodeConnectionOptions): Promise<NatsConnection> {
  let transport: FleetTransport | undefined;
  let late = false;
  setTransportFactory({
    factory: () => {
      if (late) throw new Error("timeout");
      return (transport = new FleetTransport());
    },
    dnsResolveFn: nodeResolveHost,
  });
  const timer = setTimeout(() => (late = true), LAST_TRY_MS);
  try {
    return await NatsConnectionImpl.connect(options);
  } catch (error) {
    throw transport?.closeError ?? error;
  } finally {
    clearTimeout(timer);
    // The factory is the client's only one, and other connections that break are made again by it.
    late = false;
  }
}

/**
 * The client's transport, which gives its socket up whenever it is closed. That of the client keeps a socket open on which no
 * server has said what it is, and such a socket keeps the process. The client has no option against it; to end the process by force
 * would cut off what it has yet to write.
 */
class FleetTransport extends NodeTransport {
  override async close(error?: Error): Promise<void> {
    await super.close(error);
    this.done = true;
    // Absent before the first try, and after a connection.
    (this.socket as Socket | undefined)?.destroy();
  }

  /** As in the client, but the socket is known from the start: an address that never answers is given up, too. */
  override dial({ hostname, port }: { hostname: string; port: number }): Promise<Socket> {
    const socket = createConnection(port, hostname).setNoDelay(true);
    this.socket = socket;
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      socket.once("close", () => reject(new Error("timeout")));
      socket.once("connect", () => {
        socket.removeAllListeners();
        resolve(socket);
      });
    });
  }

  override async peekInfo(): Promise<ServerInfo> {
    let bytes = 0;
    // The client would gather what comes until it times out.
    this.socket.on("data", ({ length }: Buffer) => {
      bytes += length;
      if (bytes > MOST_INFO) this.socket.destroy();
    });
    try {
      const info = await super.peekInfo();
      // The client reads the version later, when an invalid one is no longer reported.
      parseSemVer(info.version);
      return info;
    } catch {
      throw new NoNatsServer();
    }
  }

  /**
   * Text that is not NATS is kept from the client: it would print it, and keep the connection without reading on. Only the
   * first bytes are checked, so that messages are not parsed twice.
   */
  override async *iterate(): AsyncIterableIterator<Uint8Array> {
    const parser = new Parser({ push: () => undefined });
    let parsed = 0;
    try {
      for await (const bytes of super.iterate()) {
        if (parsed < MOST_INFO) parser.parse(bytes);
        parsed += bytes.length;
        yield bytes;
      }
    } catch {
      // It is no NATS.
    } finally {
      await this.close(new NoNatsServer());
    }
  }

  /** A moment later than in the client: a connection that ends while it is being made would not be made again. */
  override async closed(): Promise<void | Error> {
    const reason = await super.closed();
    await setImmediate();
    return reason;
  }
}

import type { Server } from "node:http";
import type { Socket } from "node:net";

/** The most connections of browsers that were let in, and of others, which have sent nothing yet or may not enter. */
const MOST_ADMITTED = 128;
const MOST_SILENT = 64;

/**
 * Bounds the connections of a server. Connections that no browser with access has used do not take the place of those that one has: of
 * them the oldest is closed for a new one. So a program that opens connections and says nothing shuts nobody out.
 */
export class Connections {
  readonly #silent = new Set<Socket>();

  constructor(server: Server) {
    server.maxConnections = MOST_ADMITTED + MOST_SILENT;
    server.on("connection", (socket) => {
      this.#silent.add(socket);
      socket.on("close", () => this.#silent.delete(socket));
      if (this.#silent.size <= MOST_SILENT) return;
      const [oldest] = this.#silent;
      this.#silent.delete(oldest!);
      oldest!.destroy();
    });
  }

  /** A browser with access uses this connection. */
  admit(socket: Socket): void {
    this.#silent.delete(socket);
  }
}

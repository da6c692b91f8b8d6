import { spawnSync } from "node:child_process";

/** A network for joiners that can be cut off from the server. */
export interface JoinerNetwork {
  /** The server's address in it. */
  readonly server: string;
  /** The words before a command that is to run in it. */
  readonly inside: readonly string[];
  readonly cut: () => void;
  readonly heal: () => void;
  readonly remove: () => void;
}

/**
 * Makes a network namespace with a pair of virtual devices, which only this machine reaches; undefined where this is not
 * allowed (it needs root, or CAP_NET_ADMIN).
 */
export function joinerNetwork(): JoinerNetwork | undefined {
  const name = `lf${process.pid}`;
  // One of 64 x 64 small networks that are for such uses (RFC 6598).
  const base = `100.${64 + (process.pid % 64)}.${(process.pid >> 6) % 256}`;
  const ip = (...args: string[]) => spawnSync("ip", args, { stdio: "ignore" }).status === 0;
  const remove = () => {
    ip("netns", "del", name);
    ip("link", "del", `${name}a`);
  };
  const made =
    ip("netns", "add", name) &&
    ip("link", "add", `${name}a`, "type", "veth", "peer", "name", `${name}b`, "netns", name) &&
    ip("addr", "add", `${base}.1/30`, "dev", `${name}a`) &&
    ip("link", "set", `${name}a`, "up") &&
    ip("-n", name, "addr", "add", `${base}.2/30`, "dev", `${name}b`) &&
    ip("-n", name, "link", "set", `${name}b`, "up") &&
    ip("-n", name, "link", "set", "lo", "up");
  if (!made) {
    remove();
    return undefined;
  }
  // The inner end: with the outer one down, other processes could not reach the server either.
  const device = (state: string) => () => void ip("-n", name, "link", "set", `${name}b`, state);
  return {
    server: `${base}.1`,
    inside: ["ip", "netns", "exec", name],
    cut: device("down"),
    heal: device("up"),
    remove,
  };
}

import { sha256 } from "../../formats/sha256.ts";
import { newVisitor } from "./play/random-names.ts";
import type { Request } from "./route.ts";

/**
 * The browser that asks, by a digest of its own cookie, which files may hold. The token lets all its holders play; this cookie
 * identifies each of them, so that a seat's hand is shown only to the person who sits there.
 */
export function visitorOf({ incoming, response }: Request): string {
  // All ports of a host share their cookies.
  const name = `ludoflow-player-${incoming.socket.localPort}`;
  const cookies = (incoming.headers.cookie ?? "").split(";").map((each) => each.trim());
  const found = cookies.find((each) => each.startsWith(`${name}=`))?.slice(name.length + 1);
  if (found !== undefined && /^[\w-]{32}$/.test(found)) return sha256(found);
  const visitor = newVisitor();
  response.setHeader("Set-Cookie", `${name}=${visitor}; Path=/; HttpOnly; SameSite=Strict`);
  return sha256(visitor);
}

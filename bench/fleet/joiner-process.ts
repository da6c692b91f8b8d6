// A joiner with one thread: joiner-process URL CACHE
import { connectFleet, fleetAddress } from "../../src/fleet/connect.ts";
import { Joiner } from "../../src/fleet/joiner/joiner.ts";
import { answerParent } from "./fleet-process.ts";

const [url = "", cache = ""] = process.argv.slice(2);
const connection = await connectFleet(fleetAddress(url), "joiner");
await Joiner.open(connection, { workers: 1, compute: {}, plugins: [] }, () => undefined, cache);
answerParent();

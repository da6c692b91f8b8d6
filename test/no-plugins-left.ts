import { afterAll } from "vitest";
import { threadPreparation } from "../src/workers/thread-preparation.ts";

// Plug-ins are what threads prepare; the registries themselves would take a second to load for each run of one file.
const before = JSON.stringify(threadPreparation());

/** Files of one process share its registries: a plug-in that one of them loads would be a game, net or search of the next. */
afterAll(() => {
  const left = JSON.stringify(threadPreparation());
  if (left !== before)
    throw new Error(`plug-ins stay in the process of this file (${left}): count it to the tests apart`);
});

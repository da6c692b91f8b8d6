import { afterAll } from "vitest";
import { loadedPlugins } from "../src/plugins/load-plugins.ts";

const before = loadedPlugins().length;

/** Files of one process share its registries: a plug-in that one of them loads would be a game, net or search of the next. */
afterAll(() => {
  const left = loadedPlugins().slice(before);
  if (left.length > 0)
    throw new Error(
      `plug-ins stay in the process of this file (${left.map(({ file }) => file).join(", ")}): count it to the tests apart`,
    );
});

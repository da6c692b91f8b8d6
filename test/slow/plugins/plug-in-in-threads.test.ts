import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { moduleBeside } from "../../../src/module-beside.ts";
import { loadPlugin } from "../../../src/plugins/load-plugins.ts";
import { startWorker } from "../../../src/workers/worker-thread.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { small } from "../../plugins/small-game.ts";

/** What a thread that is started now sends of the game: its first position, or why it has ended. */
const firstPosition = (game: string) =>
  new Promise<unknown>((resolve) => {
    const module = moduleBeside("../../plugins/game-thread", import.meta.url);
    const thread = startWorker<never, unknown>({ name: "game", module, data: game });
    const end = (what: unknown) => void thread.stop().then(() => resolve(what));
    thread.onMessage(end);
    thread.onCrash(({ reason }) => end(reason));
  });

it("threads that are started after a plug-in was loaded have it, and refuse one that has changed meanwhile", async () => {
  const file = join(scratchFolder(), "seven.ts");
  writeFileSync(file, small("seven"));
  loadPlugin(file);
  expect(await firstPosition("seven")).toBe('{"plies":0,"taken":[]}');
  writeFileSync(file, small("seven").replace("Two moves.", "2 moves."));
  expect(await firstPosition("seven")).toMatch(
    /seven\.ts: it, or a file that it imports, has changed since the command began/,
  );
});

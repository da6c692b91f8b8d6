import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { ludoflow } from "../../cli/run-cli.ts";

const unhandled =
  "a plug-in has thrown this and nothing handles it: in a callback, or in a promise that nothing awaits";
const ended = "the plug-in has called process.exit, which ended the command before it was done";

it.each([
  ['void Promise.reject(new Error("stray"));', `PLUG-IN:2:21: stray; ${unhandled}`],
  ['void Promise.reject("no error");', `no error; ${unhandled}`],
  ['setTimeout(() => { throw new Error("late"); }, 0);', `PLUG-IN:2:26: late; ${unhandled}`],
  ["process.exit(0);", `PLUG-IN:2:9: ${ended}`],
  ["setTimeout(() => process.exit(0), 0);", `PLUG-IN:2:26: ${ended}`],
])("ends a command with a message if a plug-in has the code %s", async (code, message) => {
  const file = join(scratchFolder(), "plug-in.ts");
  writeFileSync(
    file,
    `import { defineGame, OVER } from "ludoflow";
${code}
export default defineGame({
  name: "one-move", description: "One move.", players: 2,
  create: (_, rules) => rules({
    actions: 1,
    initial: () => ({ plies: 0 }),
    toMove: (state) => (state.plies === 1 ? OVER : 0),
    legal: (state, out) => { out[0] = 0; return 1 - state.plies; },
    play: (state) => { state.plies++; },
    copy: (from, into) => { into.plies = from.plies; },
    returns: (_, out) => { out[0] = 1; out[1] = 0; },
  }),
});
`,
  );
  const { code: status, err } = await ludoflow(["check", file]).ended;
  expect([err.replaceAll(file, "PLUG-IN"), status]).toEqual([`${message}\n`, 1]);
});

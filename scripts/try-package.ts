// `npm run try-package [-- [TARBALL [NODE...]] [--commit HASH] [--out FILE]]`: packs by plain `npm pack`, installs the tarball in an
// empty folder with plain `npm install`, and does there what a new user does: on the machine's Node, on the Node of the toolchain,
// and on those of the folders that are named, or on the one of them that the hash of a commit chooses (`.ci/run`). Nets are tried
// on the last one. Prints sizes and times; --out also writes them as CSV, from which docs/notebook/installation.md has its tables
// (docs/results/installation.csv, on a machine that does nothing else).
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { encodeCsv } from "../src/formats/csv.ts";
import { checkout, missingFiles, pack } from "./tarball.ts";
import { tenthOfCommit } from "./tenths.ts";

/** A step has not ended, or not said, as it should. */
class StepFailed extends Error {}

/** A match of two cheap players. */
const MATCH = `name: match
seed: 1
game: { rules: tic-tac-toe }
agents: { uct: { use: uct, simulations: 50 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 20 } }
`;

/** A match on a game of one's own. */
const OWN_MATCH = `name: own
seed: 1
plugins: [./examples/own-game/hex.ts]
game: { rules: hex, size: 4 }
agents: { uct: { use: uct, simulations: 50 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 10 } }
`;

/** A net of one's own learns a game of one's own, by one's own search and stage, and plays by another own search. */
const OWN_LEARNING = `name: own-learning
seed: 1
plugins:
  - ./examples/own-game/hex.ts
  - ./examples/own-net/wide.ts
  - ./examples/own-search/one-ply.ts
  - ./examples/own-search/first-play.ts
  - ./examples/own-stage/long-games.ts
game: { rules: hex, size: 4 }
nets: { net: { use: wide, filters: 8, values: win-loss } }
agents:
  learner: { use: first-play, net: net, simulations: 16 }
  greedy: { use: one-ply, net: net }
  random: { use: random }
graph:
  games: { use: self-play, agent: learner, games: 40, generation: 10, examples: { use: alphazero } }
  long: { use: long-games, from: games, plies: 8 }
  replay: { use: replay-buffer, from: long, games: 40 }
  weights: { use: trainer, from: replay, net: net, batch: 16, steps: 10, rate: 0.01, loss: { use: alphazero } }
  match: { use: arena, after: weights, every: 0, agents: [greedy, random], games: 4 }
`;

/** A player that comes with ludoflow, with its net, against a search without one. */
const PLAYER_MATCH = `extends: connect-four-player
name: player
agents: { uct: { use: uct, simulations: 50 } }
graph: { sample: { agents: [zero, uct], games: 4, analyse: 0 } }
`;

/** Starts the server of the examples, asks it for a move, and stops it. */
const ASK = `import { spawn } from "node:child_process";
const server = spawn(process.execPath, ["examples/play-server/server.ts", process.argv[2], "0"]);
server.stderr.pipe(process.stderr);
server.stdout.setEncoding("utf8").on("data", async (text) => {
  const url = /http:\\S+/.exec(text)[0];
  console.log(await (await fetch(url, { method: "POST", body: '{ "moves": [] }' })).text());
  console.log((await fetch(url, { method: "POST", body: '{ "moves": ["nonsense"] }' })).status);
  server.kill();
});
server.on("exit", (code) => (process.exitCode = code));
`;

/** Prints how long the first import of the package takes. */
const IMPORT_TIME = `const begun = performance.now();
await import("ludoflow");
console.log((performance.now() - begun).toFixed(1) + " ms");
`;

/** The project of a program that uses ludoflow, and the compilers that check it. */
const TSCONFIG = {
  compilerOptions: {
    target: "es2022",
    lib: ["es2024", "esnext.disposable"],
    module: "nodenext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    erasableSyntaxOnly: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    skipLibCheck: true,
  },
  include: ["examples"],
};
const COMPILERS = { "typescript-5": "5.9", "typescript-6": "6.0", "typescript-7": "7.0" };

/** Holds everything of the trial; removed at its end. */
const scratch = mkdtempSync(join(tmpdir(), "ludoflow-package-"));

/** What was measured, on which Node: `v24.21.0`, or nothing if it does not depend on it. */
const measured: [what: string, node: string, value: number, unit: "MB" | "s" | "ms"][] = [];

function packed(): string {
  const { path, packed: bytes, unpacked, files } = pack(scratch);
  const missing = missingFiles(files);
  if (missing.length > 0) throw new StepFailed(`the tarball lacks:\n${missing.join("\n")}`);
  console.log(`tarball: ${megabytes(bytes)}, ${megabytes(unpacked)} unpacked, ${files.length} files`);
  measured.push(["tarball", "", bytes / 1e6, "MB"], ["tarball, unpacked", "", unpacked / 1e6, "MB"]);
  return path;
}

/**
 * The search paths that find the Nodes to try, by name: the machine's, if there is another, the toolchain's, and those in
 * other folders.
 */
function nodes(others: readonly string[]): Map<string, string> {
  const own = dirname(process.execPath);
  // The launcher has put the folder of its Node before the machine's path.
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(checkout) && resolve(folder) !== own);
  const found = new Map<string, string>();
  for (const search of [
    path.join(delimiter),
    ...[...others, own].map((folder) => [resolve(folder), ...path].join(delimiter)),
  ]) {
    const { stdout, status } = spawnSync("node", ["--version"], {
      env: { ...process.env, PATH: search },
      encoding: "utf8",
    });
    if (status === 0) found.set(stdout.trim(), search);
  }
  return found;
}

/** Installs the tarball in an empty folder and uses it there, on the Node that the search path finds; `nets` too. */
function tryOn(node: string, path: string, tarball: string, nets: boolean): void {
  const folder = join(scratch, node);
  const cache = join(scratch, `${node}-cache`);
  mkdirSync(folder);
  // Without it npm would install into a folder above that has one.
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const { ONNXRUNTIME_NODE_INSTALL: _, ...inherited } = process.env;
  // The variables that npm sets for its own scripts are not for the installation.
  const environment = Object.entries(inherited).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(environment), PATH: path, XDG_CACHE_HOME: cache };
  const step: Step = (what, command, expected) =>
    timed(what, node, () => {
      const { status, stdout, stderr } = spawnSync(command, {
        cwd: folder,
        env,
        encoding: "utf8",
        shell: true,
      });
      const said = stdout + stderr;
      if (status !== (expected.code ?? 0) || !expected.says.test(said))
        throw new StepFailed(
          `Node ${node}: ${command} has ended with ${status}; expected ${expected.code ?? 0} and ${expected.says}. It said:\n${said}`,
        );
      return said;
    });

  const said = step("install", `npm install --no-audit --no-fund "${tarball}"`, {
    says: /added \d+ packages/,
  });
  if (/EBADENGINE|deprecated|ERESOLVE/.test(said))
    throw new StepFailed(`Node ${node}: the installation warns:\n${said}`);
  const installed = bytesIn(join(folder, "node_modules"));
  console.log(`Node ${node}: installed ${megabytes(installed)}`);
  measured.push(["installed", node, installed / 1e6, "MB"]);
  compareWithDocs("ludoflow and its dependencies", installed);
  if (existsSync(join(folder, "node_modules/onnxruntime-node")))
    throw new StepFailed("ONNX Runtime is installed, and nobody has asked for it");
  step("first command", "npx ludoflow --version", { says: /^\d+\.\d+\.\d+$/m });
  if (existsSync(cache)) {
    const fetched = bytesIn(cache);
    console.log(`Node ${node}: fetched ${megabytes(fetched)} of Node`);
    measured.push(["Node fetched", node, fetched / 1e6, "MB"]);
    compareWithDocs("[Node 24](#node)", fetched);
  }
  step("experiments", "npx ludoflow experiments", { says: /^ {2}quickstart +1 to 3 minutes/m });
  step("a misspelt name", "npx ludoflow run quikstart", { code: 2, says: /did you mean "quickstart"/ });
  const small = "--set graph.learn.games=300 --set graph.learn.every=100 --set graph.curve.games=10";
  step("quickstart", `npx ludoflow run quickstart --out runs/q ${small} --set graph.gain.games=2`, {
    says: /report\.html/,
  });
  const weights = join("runs/q/checkpoints/value", readdirSync(join(folder, "runs/q/checkpoints/value"))[0]!);
  step("play", `npx ludoflow play ${weights} --games 1`, { says: /\d/ });
  writeFileSync(join(folder, "match.yaml"), MATCH);
  writeFileSync(join(folder, "own.yaml"), OWN_MATCH);
  writeFileSync(join(folder, "ask.js"), ASK);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(TSCONFIG));
  step("match", "npx ludoflow match match.yaml", { says: /^agent +games/m });
  cpSync(join(checkout, "examples"), join(folder, "examples"), { recursive: true });
  const script = (path: string) => `node node_modules/ludoflow/bin/node.js ${path}`;
  step("own game", "npx ludoflow match own.yaml --allow-code", { says: /^uct +10 /m });
  const imported =
    "import('ludoflow').then(() => console.log('imported'), ({ message }) => console.log(message))";
  step("import", `node -e "${imported}"`, { says: /^imported$|bin\/node\.js SCRIPT$/m });
  writeFileSync(join(folder, "import.js"), IMPORT_TIME);
  const importing = step("time of the import", script("import.js"), { says: /^\d+(\.\d+)? ms$/m });
  console.log(`Node ${node}: importing ludoflow takes ${importing.trim()}`);
  measured.push(["importing ludoflow", node, Number.parseFloat(importing), "ms"]);
  step("train and plot", script("examples/notebook/train-and-plot.ts runs/notebook"), {
    says: /curve\.svg and .*report\.html are written/,
  });
  step("read a run", script("examples/read-run/read-run.ts runs/notebook"), {
    says: /^after 2000 games, greedy has/m,
  });
  step("a wrong folder", script("examples/read-run/read-run.ts examples"), {
    code: 1,
    says: /^ERR_RUN_FOLDER: /m,
  });
  step("tournament", script("examples/play-own-game/tournament.ts"), {
    says: /^uct has won \d+ of 10 games/m,
  });
  step("an example where it lies", script("node_modules/ludoflow/examples/play-own-game/tournament.ts"), {
    says: /^uct has won \d+ of 10 games/m,
  });
  step("server", script(`ask.js ${weights}`), { says: /"added":\["[\s\S]*^400$/m });
  const compilers = Object.entries(COMPILERS).map(([name, version]) => `${name}@npm:typescript@${version}`);
  step("compilers", `npm install --no-save --no-audit --no-fund @types/node@24 ${compilers.join(" ")}`, {
    says: /added \d+ packages/,
  });
  for (const name of Object.keys(COMPILERS))
    step(`types with ${name}`, `node node_modules/${name}/bin/tsc -p tsconfig.json`, { says: /^$/ });
  step("new", `npx ludoflow new my-game --from "${tarball}"`, { says: /^ {2}games\/nim\.ts$/m });
  step("a new project's install", "cd my-game && npm install --no-audit --no-fund", {
    says: /added \d+ packages/,
  });
  step("a new project's test", "cd my-game && npm test", { says: /nothing wrong/ });
  step("nets without ONNX Runtime", "npx ludoflow run tic-tac-toe-zero", {
    code: 2,
    says: /npm install --ignore-scripts onnxruntime-node@/,
  });
  const net = "node_modules/ludoflow/experiments/blokuszero-net";
  step("a net's play without ONNX Runtime", `npx ludoflow play ${net}`, {
    code: 2,
    says: /^agent: .*npm install --ignore-scripts onnxruntime-node@/m,
  });
  if (existsSync(join(folder, "runs/tic-tac-toe-zero")))
    throw new StepFailed("the run that was refused has written something");
  if (nets) tryNets(node, folder, step);
}

/** Installs ONNX Runtime by the command that the messages name, and uses nets. */
function tryNets(node: string, folder: string, step: Step): void {
  const { peerDependencies } = JSON.parse(readFileSync(join(checkout, "package.json"), "utf8")) as {
    readonly peerDependencies: Readonly<Record<string, string>>;
  };
  const runtime = `onnxruntime-node@${peerDependencies["onnxruntime-node"]}`;
  step("ONNX Runtime", `npm install --ignore-scripts --no-audit --no-fund ${runtime}`, { says: /added \d+/ });
  const bytes = bytesIn(join(folder, "node_modules/onnxruntime-node"));
  measured.push(["ONNX Runtime", node, bytes / 1e6, "MB"]);
  compareWithDocs("[ONNX Runtime](#nets)", bytes);
  const games = "--set graph.games.games=100 --set graph.games.generation=50";
  step("a net learns", `npx ludoflow run tic-tac-toe-zero ${games}`, { says: /report\.html/ });
  step("AlphaZero on one page", "node node_modules/ludoflow/bin/node.js examples/zero.ts", {
    says: /^puct-max-n against uct: \d+%/m,
  });
  step("a player with its net", "npx ludoflow play connect-four-player --games 1", { says: /\d/ });
  writeFileSync(join(folder, "player.yaml"), PLAYER_MATCH);
  step("a match of this player", "npx ludoflow match player.yaml", { says: /^zero +4 /m });
  writeFileSync(join(folder, "learning.yaml"), OWN_LEARNING);
  step("own net, searches and stage", "npx ludoflow run learning.yaml --allow-code --out runs/learned", {
    says: /report\.html/,
  });
  const stage =
    "node_modules/ludoflow/examples/own-stage/long-games.yaml --allow-code --set graph.games.games=200";
  step("own stage", `npx ludoflow run ${stage}`, { says: /report\.html/ });
}

/** Does a step and returns what it says. Throws StepFailed if it ends or speaks otherwise than expected. */
type Step = (
  what: string,
  command: string,
  expected: { readonly code?: number; readonly says: RegExp },
) => string;

function timed<T>(what: string, node: string, work: () => T): T {
  const begun = performance.now();
  const result = work();
  const seconds = (performance.now() - begun) / 1000;
  measured.push([what, node, seconds, "s"]);
  console.log(`${node === "" ? "" : `Node ${node}: `}${what}: ${seconds.toFixed(1)} s`);
  return result;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Fails if a size is not about what docs/installation.md says about this part. */
function compareWithDocs(part: string, bytes: number): void {
  const page = readFileSync(join(checkout, "docs/installation.md"), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${part} |`));
  const documented = Number(/about (\d+) MB/.exec(row ?? "")?.[1]);
  if (!(Math.abs(bytes / 1e6 / documented - 1) < 0.1))
    throw new StepFailed(
      `docs/installation.md says ${documented} MB for "${part}", and it has ${megabytes(bytes)}: mend the page, README.md and the notebook`,
    );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

try {
  const { positionals, values: flags } = parseArgs({
    allowPositionals: true,
    options: { commit: { type: "string" }, out: { type: "string" } },
  });
  const [given, ...others] = positionals;
  const tarball = given === undefined ? timed("build and pack", "", packed) : resolve(given);
  const every = [...nodes(others)];
  const found = flags.commit === undefined ? every : [every[tenthOfCommit(flags.commit) % every.length]!];
  console.log(`Node ${found.map(([name]) => name).join(", ")}`);
  for (const [i, [name, path]] of found.entries()) tryOn(name, path, tarball, i === found.length - 1);
  if (flags.out !== undefined)
    writeFileSync(
      flags.out,
      encodeCsv({
        columns: [
          { name: "what", type: "text" },
          { name: "node", type: "text" },
          { name: "value", type: "number" },
          { name: "unit", type: "text" },
        ],
        rows: measured,
      }),
    );
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

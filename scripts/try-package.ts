// `npm run try-package [-- TARBALL]`: packs, installs the tarball in an empty folder with plain `npm install`, and does there
// what a new user does: on the machine's Node, and on the Node of the toolchain. Prints sizes and times.
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
import { checkout, missingFiles, pack } from "./tarball.ts";

/** A step has not ended, or not said, as it should. */
class StepFailed extends Error {}

/** A match of two cheap players. */
const MATCH = `name: match
seed: 1
game: { rules: tic-tac-toe }
agents: { uct: { use: uct, simulations: 50 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 20 } }
`;

/** A match on a game of one's own, with a search of one's own. */
const OWN_MATCH = `name: own
seed: 1
plugins: [./examples/own-game/hex.ts, ./examples/own-search/one-ply.ts]
game: { rules: hex, size: 4 }
agents: { uct: { use: uct, simulations: 50 }, random: { use: random } }
graph: { match: { use: arena, agents: [uct, random], games: 10 } }
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

/** The project of somebody who writes programs with ludoflow, and the compilers that check it. */
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

function packed(): string {
  const { path, packed: bytes, unpacked, files } = pack(scratch);
  const missing = missingFiles(files);
  if (missing.length > 0) throw new StepFailed(`the tarball lacks:\n${missing.join("\n")}`);
  console.log(`tarball: ${megabytes(bytes)}, ${megabytes(unpacked)} unpacked, ${files.length} files`);
  return path;
}

/** The search paths that find the Nodes to try, by name: the machine's, where there is another, and the toolchain's. */
function nodes(): Map<string, string> {
  const own = dirname(process.execPath);
  // The launcher has put the folder of its Node before the machine's path.
  const path = (process.env["PATH"] ?? "")
    .split(delimiter)
    .filter((folder) => !folder.startsWith(checkout) && resolve(folder) !== own);
  const found = new Map<string, string>();
  for (const search of [path.join(delimiter), [own, ...path].join(delimiter)]) {
    const { stdout, status } = spawnSync("node", ["--version"], {
      env: { ...process.env, PATH: search },
      encoding: "utf8",
    });
    if (status === 0) found.set(stdout.trim(), search);
  }
  return found;
}

/** Installs the tarball in an empty folder and uses it there, on the Node that the search path finds. */
function tryOn(node: string, path: string, tarball: string): void {
  const folder = join(scratch, node);
  const cache = join(scratch, `${node}-cache`);
  mkdirSync(folder);
  // Without it npm would install into a folder above that has one.
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const { ONNXRUNTIME_NODE_INSTALL: _, ...inherited } = process.env;
  // What npm has told its own scripts is not for the installation.
  const environment = Object.entries(inherited).filter(([name]) => !/^npm_/i.test(name));
  const env = { ...Object.fromEntries(environment), PATH: path, XDG_CACHE_HOME: cache };
  const step = (what: string, command: string, expected: { readonly code?: number; readonly says: RegExp }) =>
    timed(`Node ${node}: ${what}`, () => {
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

  step("install", `npm install --no-audit --no-fund "${tarball}"`, { says: /added \d+ packages/ });
  const installed = bytesIn(join(folder, "node_modules"));
  console.log(`Node ${node}: installed ${megabytes(installed)}`);
  compareWithDocs("ludoflow and its dependencies", installed);
  if (existsSync(join(folder, "node_modules/onnxruntime-node")))
    throw new StepFailed("ONNX Runtime is installed, and nobody has asked for it");
  step("first command", "npx ludoflow --version", { says: /^\d+\.\d+\.\d+$/m });
  if (existsSync(cache)) {
    const fetched = bytesIn(cache);
    console.log(`Node ${node}: fetched ${megabytes(fetched)} of Node`);
    compareWithDocs("[Node 24](#node)", fetched);
  }
  step("experiments", "npx ludoflow experiments", { says: /^quickstart {2}\(/m });
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
}

function timed<T>(what: string, work: () => T): T {
  const begun = performance.now();
  const result = work();
  console.log(`${what}: ${((performance.now() - begun) / 1000).toFixed(1)} s`);
  return result;
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
}

/** Fails where a size is not about what docs/installation.md tells of this part. */
function compareWithDocs(part: string, bytes: number): void {
  const page = readFileSync(join(checkout, "docs/installation.md"), "utf8");
  const row = page.split("\n").find((line) => line.startsWith(`| ${part} |`));
  const told = Number(/about (\d+) MB/.exec(row ?? "")?.[1]);
  if (!(Math.abs(bytes / 1e6 / told - 1) < 0.1))
    throw new StepFailed(
      `docs/installation.md tells ${told} MB of "${part}", and it has ${megabytes(bytes)}: mend the page, README.md and the notebook`,
    );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

try {
  const given = process.argv[2];
  const tarball = given === undefined ? timed("build and pack", packed) : resolve(given);
  for (const [name, path] of nodes()) tryOn(name, path, tarball);
} catch (error) {
  if (!(error instanceof StepFailed)) throw error;
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

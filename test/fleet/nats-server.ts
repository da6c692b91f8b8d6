import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** The program: Debian has it beside the folders of PATH. */
export const program = ["nats-server", "/usr/sbin/nats-server"].find(
  (each) => spawnSync(each, ["--version"]).status === 0,
);

/** Why a test of fleets is left out; undefined where it can run. */
export const noServer: string | undefined =
  program === undefined ? "no NATS server: Debian's package nats-server" : undefined;

/** A server for a test, on a port of its own. */
export interface TestServer {
  readonly url: string;
  /** Kills it at once, and starts it again on its port with what it has on disk. */
  restart(): Promise<void>;
  /** Kills it at once. */
  kill(): Promise<void>;
}

/** Starts a server that ends with the test. `config` are further lines of its file. */
export async function startServer(config = ""): Promise<TestServer> {
  const folder = scratchFolder();
  const [ports, store] = [join(folder, "ports"), join(folder, "store")];
  mkdirSync(ports);
  let child: ChildProcess | undefined;
  const start = async (port: number): Promise<number> => {
    const file = join(folder, "nats.conf");
    writeFileSync(
      file,
      `listen: 127.0.0.1:${port}\nports_file_dir: ${ports}\nmax_payload: 8MB\njetstream { store_dir: ${store} }\n${config}\n`,
    );
    child = spawn(program!, ["-c", file], { stdio: "ignore" });
    for (;;) {
      const name = readdirSync(ports).find((each) => each.includes(`_${child!.pid}.`));
      const text = name === undefined ? "" : readFileSync(join(ports, name), "utf8");
      const found = /:(\d+)"/.exec(text)?.[1];
      if (found !== undefined) return Number(found);
      if (child.exitCode !== null) throw new Error("nats-server does not start");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      if (child!.exitCode !== null || child!.signalCode !== null) return resolve();
      child!.once("exit", () => resolve());
      child!.kill("SIGKILL");
    });
  onTestFinished(kill);
  const port = await start(-1);
  return {
    url: `nats://127.0.0.1:${port}`,
    kill,
    restart: async () => {
      await kill();
      if (!existsSync(store)) mkdirSync(store);
      await start(port);
    },
  };
}

import { existsSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { Command } from "commander";
import { stopSignal } from "../../workers/stop-signals.ts";
import { PageNotBuilt } from "../../web/server/assets.ts";
import {
  isEveryAddress,
  type PageServer,
  type PageServerOptions,
  startPageServer,
} from "../../web/server/page-server.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { portNumber } from "../whole-number.ts";

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
}

/** `ludoflow serve [RUNS]`: a page of the runs in a folder, while they learn and afterwards. */
export function serveCommand(): Command {
  return new Command("serve")
    .argument("[folder]", "the folder that holds the runs", "runs")
    .description(
      "Serve a page of the runs in a folder: what they do now, their figures, comparisons; start, stop and resume them. Prints a link that opens it on this machine.",
    )
    .option(
      "--port <n>",
      "the port (default: the one that the page of this folder had last, or any that is free)",
      portNumber(0),
    )
    .option(
      "--host <address>",
      "the address to listen at (default: 127.0.0.1, which this machine alone can reach)",
    )
    .option(
      "--allow-host <name...>",
      "names by which browsers may ask for the page as well, with the port if it is another one: lab, localhost:8888",
    )
    .addHelpText(
      "after",
      `
The link holds a token: anyone with the link can see the runs, and start and stop them.

Examples:
  $ ludoflow serve
  $ ludoflow serve runs/sweeps --port 8080
  $ ludoflow serve --host 0.0.0.0 --allow-host lab.example.org

On another machine, through ssh, encrypted: ssh -L 8080:127.0.0.1:8080 MACHINE, and there ludoflow serve --port 8080`,
    )
    .action(async (folder: string, { allowHost = [], host, port }: ServeFlags) => {
      const stat = statSync(folder, { throwIfNoEntry: false });
      if (existsSync(folder) && stat?.isDirectory() !== true)
        throw new UsageError(`"${folder}" is not a folder; give the folder that holds your runs`);
      // Without the default folder there are no runs yet: the page offers to start one.
      if (stat === undefined && folder !== "runs")
        throw new UsageError(`there is no folder "${folder}"; give the folder that holds your runs`);
      checkHosts(host, allowHost);
      const server = await served(folder, {
        allowHosts: allowHost,
        ...(port === undefined ? {} : { port }),
        ...(host === undefined ? {} : { host }),
      });
      const links = [...new Set([server.link, ...server.allowed])];
      process.stdout.write(`${links.join("\n")}\n`);
      const local = host === undefined || isLoopback(host);
      if (!local)
        process.stderr.write(
          "Warning: nothing is encrypted. Whoever can read the connection can read the token, and then start and stop runs. ssh -L is safer (ludoflow serve --help).\n",
        );
      process.stderr.write(
        `Open this link${local && allowHost.length === 0 ? " on this machine" : ""}. Ctrl-C ends the page; runs continue.\n`,
      );
      await stopSignal();
      await server.close();
      process.exit(0);
    });
}

/** A name or an address, with or without a port. */
const HOST = /^(?:[\w-]+(?:\.[\w-]+)*|\[[0-9a-f:]+\])(?::(\d{1,5}))?$/i;

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Throws UsageError if the page could not be opened by any name. */
function checkHosts(host: string | undefined, allowed: readonly string[]): void {
  for (const each of allowed) {
    const [, port] = HOST.exec(each) ?? [each, "65536"];
    if (Number(port ?? 1) < 1 || Number(port ?? 1) > 65_535)
      throw new UsageError(
        `--allow-host takes a name or an address, with a port if it is not that of the page, as in lab or localhost:8888, not "${each}"`,
      );
  }
  if (host === undefined || !isEveryAddress(host) || allowed.length > 0) return;
  throw new UsageError(
    `--host ${host} means all addresses of this machine, and a browser needs the name of one; add --allow-host NAME, such as --allow-host ${hostname()}`,
  );
}

/** The server. Throws UsageError if it cannot be started. */
async function served(folder: string, options: PageServerOptions): Promise<PageServer> {
  try {
    return await startPageServer(folder, { ...options, remembers: true });
  } catch (error) {
    if (error instanceof PageNotBuilt) throw new UsageError(error.message);
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE")
      throw new UsageError(`port ${options.port} is taken by another program; choose another --port`);
    if (code === "EACCES" || code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new UsageError(
        `${options.host ?? "127.0.0.1"}, port ${options.port ?? 0}, cannot be listened at (${code}); choose another --host or --port`,
      );
    throw error;
  }
}

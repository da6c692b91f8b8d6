import { existsSync, statSync } from "node:fs";
import { Command } from "commander";
import { stopSignal } from "../../workers/stop-signals.ts";
import { PageNotBuilt } from "../../web/server/assets.ts";
import { type PageServer, startPageServer } from "../../web/server/page-server.ts";
import { UsageError } from "../../messages/usage-error.ts";
import { portNumber } from "../whole-number.ts";

interface ServeFlags {
  readonly port?: number;
  readonly host?: string;
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
    .addHelpText(
      "after",
      `
The link holds a token: anyone with the link can see the runs, and start and stop them.

Examples:
  $ ludoflow serve
  $ ludoflow serve runs/sweeps --port 8080`,
    )
    .action(async (folder: string, { host, port }: ServeFlags) => {
      const stat = statSync(folder, { throwIfNoEntry: false });
      if (existsSync(folder) && stat?.isDirectory() !== true)
        throw new UsageError(`"${folder}" is not a folder; give the folder that holds your runs`);
      // Without the default folder there are no runs yet: the page offers to start one.
      if (stat === undefined && folder !== "runs")
        throw new UsageError(`there is no folder "${folder}"; give the folder that holds your runs`);
      const server = await served(folder, {
        ...(port === undefined ? {} : { port }),
        ...(host === undefined ? {} : { host }),
      });
      process.stdout.write(`${server.link}\n`);
      process.stderr.write("Open this link on this machine. Ctrl-C ends the page; runs continue.\n");
      await stopSignal();
      await server.close();
      process.exit(0);
    });
}

/** The server. Throws UsageError if it cannot be started. */
async function served(folder: string, options: ServeFlags): Promise<PageServer> {
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

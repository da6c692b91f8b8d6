import { moduleBeside } from "../module-beside.ts";
import { fork } from "node:child_process";
import { once } from "node:events";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { howEnded } from "../workers/how-ended.ts";
import { stopSignal } from "../workers/stop-signals.ts";
import { PageNotBuilt, readAssets } from "../web/server/assets.ts";
import { UsageError } from "../messages/usage-error.ts";
import type { PageAnswer, PageJob } from "./page-process.ts";

/** The flag of commands that can serve a page beside a run. */
export interface PageFlag {
  readonly page?: boolean;
}

/** Adds the flag. */
export function pageOption(command: Command): Command {
  return command.option(
    "--page",
    "also serve a page of the run, and print its link; after the run the page stays until Ctrl-C",
  );
}

/** A page that is served beside a run. */
interface PageBeside {
  readonly link: string;
  readonly close: () => void;
}

/** Throws UsageError if this checkout has no built page. */
export function assertPageBuilt(): void {
  try {
    readAssets();
  } catch (error) {
    throw error instanceof PageNotBuilt ? new UsageError(error.message) : error;
  }
}

/** Follows a run, with a page beside it on request: the page stays until Ctrl-C if the run has finished. Returns its exit code. */
export async function withPage(
  folder: string,
  { page: wished }: PageFlag,
  follow: () => Promise<number>,
): Promise<number> {
  const page = wished === true ? await startPageBeside(folder) : undefined;
  if (page === undefined) return await follow();
  process.stderr.write(`page: ${page.link}\n`);
  // From here on: between the end of the run and the waiting below a signal would end this process without a word.
  let asked = false;
  const signal = stopSignal().then(() => {
    asked = true;
  });
  const code = await follow().catch((error: unknown) => {
    page.close();
    throw error;
  });
  if (code !== 130 && !asked) {
    process.stderr.write("The page stays until Ctrl-C.\n");
    await signal;
  }
  page.close();
  return code;
}

/** Serves a page of the run in a folder, and of the runs beside it. Throws UsageError if that is not possible. */
async function startPageBeside(folder: string): Promise<PageBeside> {
  const program = fileURLToPath(moduleBeside("page-process", import.meta.url));
  const child = fork(program, [], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const job = jobOf(resolve(folder));
  child.send(job);
  const ended = once(child, "exit").then(([code, signal]): [PageAnswer] => [
    {
      error: `the page's process was ended ${howEnded(code as number | null, signal as string | null, "remedy")}`,
    },
  ]);
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [PageAnswer];
  const close = () => {
    if (child.connected) child.disconnect();
  };
  if ("error" in answer) {
    close();
    throw new UsageError(answer.error);
  }
  return {
    link: answer.link,
    close,
  };
}

/** Runs lie at runs/NAME/ID: the page shows all of them. A run elsewhere has a page with its neighbours. */
function jobOf(folder: string): PageJob {
  const name = dirname(folder);
  const root = dirname(name);
  return basename(root) === "runs"
    ? { folder: root, run: `${basename(name)}/${basename(folder)}` }
    : { folder: name, run: basename(folder) };
}

import { startPageServer } from "../web/server/page-server.ts";

/** What this process receives: the folder that holds the runs, and the path of one of them below it, for the link. */
export interface PageJob {
  readonly folder: string;
  readonly run: string;
}

/** What it answers: the link, or why there is no page. */
export type PageAnswer = { readonly link: string } | { readonly error: string };

// A page beside a run, in its own process: serving takes no time of the run's main thread. It ends with the process that has
// started it. Ctrl-C in a terminal reaches both: the run decides.
process.on("SIGINT", () => {});
process.on("disconnect", () => process.exit(0));
process.once("message", (job: PageJob) => {
  void serve(job).then((answer) => process.send!(answer));
});

async function serve({ folder, run }: PageJob): Promise<PageAnswer> {
  try {
    const { link } = await startPageServer(folder, { remembers: true });
    const url = new URL(link);
    url.pathname = `/runs/${run.split("/").map(encodeURIComponent).join("/")}`;
    return { link: url.href };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

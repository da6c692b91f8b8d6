import { parentPort, workerData } from "node:worker_threads";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { type GamesFile, gamesInFile } from "./games-file.ts";

/** The messages of the thread that reads a file: that it makes progress, or how it has ended. */
export type GamesFileNews = "progress" | { readonly read: GamesFile } | { readonly fault: string };

const say = (news: GamesFileNews) => parentPort!.postMessage(news);
try {
  say({ read: await gamesInFile(workerData as string, () => say("progress")) });
} catch (error) {
  if (!(error instanceof FileCorrupt)) throw error;
  say({ fault: error.what });
}

import { moduleBeside } from "../../../module-beside.ts";
import { statSync } from "node:fs";
import { FileCorrupt } from "../../../formats/files/file-corrupt.ts";
import { startWorker } from "../../../workers/worker-thread.ts";
import type { GamesFileNews } from "./games-file-worker.ts";
import type { GamesFile } from "./games-file.ts";

/** Processor seconds without progress after which a file counts as damaged. A part takes some hundredths of a second. */
const MOST_SILENT_SECONDS = 30;

/**
 * Reads an .h5 file of games into shared memory, on a thread of its own: in some damaged files the HDF5 library finds no end, and
 * a thread can be ended. Throws FileCorrupt if the file is damaged or has no games; the system's error if there is no file; and
 * WorkerCrashed if its thread has too little memory.
 */
export async function readGamesFile(path: string, mostSilent = MOST_SILENT_SECONDS): Promise<GamesFile> {
  statSync(path);
  const thread = startWorker<never, GamesFileNews>({
    name: "games file",
    module: moduleBeside("games-file-worker", import.meta.url),
    data: path,
  });
  let silent = 0;
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<GamesFile>((resolve, reject) => {
      // Processor time: a wall clock also runs while the process is stopped, and while a busy machine keeps the thread waiting.
      let before = process.cpuUsage();
      timer = setInterval(() => {
        const { system, user } = process.cpuUsage(before);
        before = process.cpuUsage();
        silent += Math.min(1, (system + user) / 1e6);
        if (silent >= mostSilent)
          reject(new FileCorrupt(path, "is not a file of games: the HDF5 library finds no end in it"));
      }, 1000);
      thread.onMessage((news) => {
        silent = 0;
        if (news === "progress") return;
        if ("read" in news) resolve(news.read);
        else reject(new FileCorrupt(path, news.fault));
      });
      thread.onCrash(reject);
    });
  } finally {
    clearInterval(timer);
    await thread.stop();
  }
}

// Loaded before a command (`ludoflowKilled`): ends its process by SIGKILL right after a write that is named in the environment.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const [path = "", writes = ""] = (process.env["LUDOFLOW_END_AT_WRITE"] ?? "").split(":");

if (isMainThread && path !== "") {
  const { openSync, writeSync } = fs;
  const watched = new Set<number>();
  let left = Number(writes);
  fs.openSync = (file, ...more) => {
    const opened = openSync(file, ...more);
    // Numbers of closed files are given again.
    if (String(file).endsWith(path)) watched.add(opened);
    else watched.delete(opened);
    return opened;
  };
  fs.writeSync = ((file: number, ...more: [never]) => {
    const count = writeSync(file, ...more);
    if (watched.has(file) && --left === 0) process.kill(process.pid, "SIGKILL");
    return count;
  }) as typeof fs.writeSync;
  syncBuiltinESMExports();
}

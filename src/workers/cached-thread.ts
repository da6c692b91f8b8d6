/** Runs the module named by the first argument with the compile cache on disk, which Node does not enable in threads. */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import(process.argv[2]!);

/** Runs the module named by the first argument, from compiled code kept on disk: Node leaves threads out of that. */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import(process.argv[2]!);

import module from "node:module";

// Tests start many threads, and a thread whose process keeps what is compiled starts in a third of the time.
module.enableCompileCache();

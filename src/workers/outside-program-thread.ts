/** The thread that owns the processes of other programs and carries lines between them and code that blocks. */
import { type ChildProcess, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { type MessagePort, parentPort } from "node:worker_threads";
import { howEnded } from "./how-ended.ts";
import { notify } from "./mailbox.ts";
import type { FromProgram, StartProgram, ToProgram } from "./outside-program.ts";

/** Number of last characters of standard error that are quoted when a program ends. */
const LAST_WORDS = 300;

/**
 * A shell script that leaves a guard in its process group and then becomes the program. When file descriptor 3 is
 * closed at the other end, for whatever reason, the guard kills the group.
 */
const guarded = '( read -r _ <&3; kill -KILL 0 ) </dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"';

parentPort!.on("message", ({ command, port, notifier }: StartProgram) => {
  const post = (message: FromProgram): void => {
    port.postMessage(message);
    notify(notifier);
  };
  run(command, port, post);
});

function run(command: readonly string[], port: MessagePort, post: (message: FromProgram) => void): void {
  let child: ChildProcess;
  let kill: () => void;
  try {
    ({ child, kill } = launch(command));
  } catch (error) {
    // A process cannot take an argument that contains a zero byte.
    return post({ type: "ended", reason: (error as Error).message });
  }
  if (child.pid !== undefined) post({ type: "started", pid: child.pid });
  const stdin = child.stdin as Writable;
  const stdout = child.stdout as Readable;
  const stderr = child.stderr as Readable;
  let lastWords = "";
  stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout.pause();
    post({ type: "output", text });
  });
  stderr.setEncoding("utf8").on("data", (text: string) => {
    lastWords = (lastWords + text).slice(-LAST_WORDS);
  });
  // The end of a program is reported by its exit, not by the broken pipe.
  for (const pipe of [stdin, stdout, stderr]) pipe.on("error", () => undefined);
  child.on("error", (error) => post({ type: "ended", reason: error.message }));
  child.on("exit", kill);
  child.on("close", (code, signal) =>
    post({ type: "ended", reason: reasonOf(command[0]!, code, signal, lastWords) }),
  );
  port.on("message", (message: ToProgram) => {
    if (message.type === "write") stdin.write(message.text);
    else if (message.type === "more") stdout.resume();
    else {
      kill();
      for (const pipe of [stdin, stdout, stderr]) pipe.destroy();
      port.close();
    }
  });
}

/** Starts a program that ends with this thread at the latest; `kill` ends it earlier. */
function launch(command: readonly string[]): { readonly child: ChildProcess; readonly kill: () => void } {
  if (process.platform === "win32") {
    const child = spawn(command[0]!, command.slice(1), { stdio: "pipe", windowsHide: true });
    process.on("exit", () => child.kill("SIGKILL"));
    return { child, kill: () => void child.kill("SIGKILL") };
  }
  const child = spawn("/bin/sh", ["-c", guarded, "sh", ...command], {
    // A group of its own: Ctrl-C at the terminal does not reach it, so games in flight can be finished.
    detached: true,
    stdio: ["pipe", "pipe", "pipe", "pipe"],
  });
  const lifeline = child.stdio[3] as Writable;
  lifeline.on("error", () => undefined);
  return { child, kill: () => void lifeline.destroy() };
}

function reasonOf(program: string, code: number | null, signal: string | null, lastWords: string): string {
  // The exit codes of a shell that does not find a program (127) or may not run it (126).
  if (code === 127) return `there is no program "${program}"`;
  if (code === 126) return `"${program}" cannot be run: it is not an executable file`;
  const how = signal === null ? `it ended with exit code ${code}` : `it was ended ${howEnded(code, signal)}`;
  const words = lastWords.trim().split("\n").slice(-2).join(" / ").trim();
  return words === "" ? how : `${how}, saying: ${words}`;
}

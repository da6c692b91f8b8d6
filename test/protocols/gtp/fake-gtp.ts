/**
 * A GTP program for tests: plays the first free cell of tic-tac-toe until a command makes it misbehave.
 *
 * It knows `setposition` if it is to do "positions" wrong, which is nothing.
 *
 * Arguments: what to do wrong, at which of its own moves (from 1, counted from its start), and a file to which it
 * appends its process number.
 */
import { spawn } from "node:child_process";
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [wrong, at, pids] = process.argv.slice(2) as [string, string, string];
appendFileSync(pids, `${process.pid}\n`);

let free: string[] = [];
let moves = 0;

const misbehaviours: Readonly<Record<string, (id: string) => void>> = {
  garbage: () => void process.stdout.write("thinking about it\n\n"),
  chatter: (id) =>
    void process.stdout.write(`Welcome\n\n= thinking\n=${id}9 a1\n=${id} ${free.shift()!}\n\nbye\n`),
  "chatter without end": () => {
    const more = () => {
      while (process.stdout.write("info nodes 1000\n".repeat(1000)));
      process.stdout.once("drain", more);
    };
    more();
  },
  "chatter alone": () => void process.stdout.write("Welcome\n"),
  "another id": (id) => void process.stdout.write(`=${id}9 a1\n\n`),
  illegal: (id) => void process.stdout.write(`=${id} z9\n\n`),
  pass: (id) => void process.stdout.write(`=${id} PASS\n\n`),
  resign: (id) => void process.stdout.write(`=${id} resign\n\n`),
  refuse: (id) => void process.stdout.write(`?${id} out of\tideas\r\n\n`),
  die: () => {
    process.stderr.write("out of memory\n");
    process.exit(3);
  },
  // Leaves a process of its own behind.
  "die with a child": () => {
    const child = spawn("/bin/sh", ["-c", "trap '' HUP TERM; while :; do sleep 1; done"], {
      stdio: "ignore",
    });
    appendFileSync(pids, `${child.pid}\n`);
    process.exit(0);
  },
  "flood lines": (id) => {
    process.stdout.write(`=${id} a1\n`);
    const more = () => {
      while (process.stdout.write("and more\n".repeat(1000)));
      process.stdout.once("drain", more);
    };
    more();
  },
  "flood a line": () => {
    const more = () => {
      while (process.stdout.write("x".repeat(10_000)));
      process.stdout.once("drain", more);
    };
    more();
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const [id, command, ...args] = line.split(" ") as [string, string, ...string[]];
  const say = (text: string) => void process.stdout.write(`=${id} ${text}\n\n`);
  if (command === "set_game") free = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"];
  if (command === "setposition") {
    const cells = args[0]!.replaceAll(/[1-3]/g, (empty) => ".".repeat(Number(empty))).replaceAll("/", "");
    free = ["a3", "b3", "c3", "a2", "b2", "c2", "a1", "b1", "c1"].filter((_, i) => cells[i] === ".");
  }
  if (command === "play" && wrong === "refuse play" && moves + 1 === Number(at))
    return void process.stdout.write(`?${id} illegal move\n\n`);
  if (command === "play") free = free.filter((cell) => cell !== args[1]);
  if (command === "quit") {
    say("");
    process.exit(0);
  }
  if (command !== "genmove")
    return say(
      command === "list_commands" ? `play\ngenmove${wrong === "positions" ? "\nsetposition" : ""}` : "",
    );
  if (++moves === Number(at)) return misbehaviours[wrong]?.(id);
  say(free.shift()!);
});

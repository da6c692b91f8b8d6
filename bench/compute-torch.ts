import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** PyTorch in a process of its own, with one net. */
export interface Torch {
  /** `PyTorch 1.13.0`. */
  readonly name: string;
  /** Seconds for one training step, or for the evaluation of one batch. */
  seconds(what: "train" | "infer"): Promise<number>;
  dispose(): void;
}

const script = fileURLToPath(new URL("compute_torch.py", import.meta.url));

/** Starts PyTorch where an interpreter has it; undefined where none does. */
export async function openTorch(spec: object): Promise<Torch | undefined> {
  const interpreter = ["python3", "/usr/bin/python3"].find(
    (command) => spawnSync(command, ["-c", "import torch"]).status === 0,
  );
  if (interpreter === undefined) return undefined;
  const child: ChildProcessWithoutNullStreams = spawn(interpreter, [script, JSON.stringify(spec)]);
  const complaints: string[] = [];
  child.stderr.on("data", (data) => complaints.push(String(data)));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`PyTorch ended: ${complaints.join("")}`);
    return line.value;
  };
  const version = await next();
  return {
    name: `PyTorch ${version}`,
    seconds: async (what) => {
      child.stdin.write(`${what}\n`);
      return Number(await next());
    },
    dispose: () => {
      child.stdin.end();
    },
  };
}

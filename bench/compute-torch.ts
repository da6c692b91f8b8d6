import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { UsageError } from "../src/messages/usage-error.ts";

/** A PyTorch that a `python3` of this machine has, with the fastest kernels for dense layers that its BLAS offers here. */
export interface Torch {
  readonly interpreter: string;
  /** `PyTorch 1.13.0`. */
  readonly name: string;
  /** What computes dense layers: `OpenBLAS 0.3.21, kernels SkylakeX`. */
  readonly blas: string;
  /** Variables of the environment that choose these kernels. */
  readonly environment: Readonly<Record<string, string>>;
}

/** One net in PyTorch at its best. */
export interface TorchNet {
  readonly train: TorchTask;
  readonly infer: TorchTask;
  dispose(): void;
}

/** Something to be timed, in the setting that was the fastest in a trial. */
interface TorchTask {
  /** PyTorch and the setting: `PyTorch 1.13.0, 2 threads, channels_last, frozen; OpenBLAS 0.3.21, kernels SkylakeX`. */
  readonly name: string;
  /** Seconds of wall time for one training step, or for the evaluation of one batch. */
  seconds(): Promise<number>;
}

/** What `compute_torch.py` answers to a probe. */
export interface TorchProbe {
  readonly version: string;
  readonly blas: { readonly kind: string; readonly name: string; readonly kernels?: string };
  /** GFLOP per second of processor time in a matrix product. */
  readonly speed: number;
}

/**
 * OpenBLAS chooses its kernels by the processor's model and takes slow ones for a model that it does not know. These names
 * make it take others; a name that a build lacks, or that the processor cannot run, is left out.
 */
const OPENBLAS_KERNELS = ["SKYLAKEX", "COOPERLAKE", "HASWELL", "ZEN"];

const script = fileURLToPath(new URL("compute_torch.py", import.meta.url));

/** All libraries that may compute with threads of their own get the same number of them. */
const threadsOf = (threads: number) => ({
  OMP_NUM_THREADS: `${threads}`,
  OPENBLAS_NUM_THREADS: `${threads}`,
  MKL_NUM_THREADS: `${threads}`,
});

/** What PyTorch of an interpreter has in such an environment, on one thread; undefined if it lacks PyTorch or cannot run so. */
export function probeTorch(
  interpreter: string,
  environment: Readonly<Record<string, string>>,
): TorchProbe | undefined {
  const { status, stdout } = spawnSync(interpreter, [script, JSON.stringify({ probe: true })], {
    env: { ...process.env, ...threadsOf(1), ...environment },
    encoding: "utf8",
  });
  return status === 0 ? (JSON.parse(stdout) as TorchProbe) : undefined;
}

/**
 * Finds PyTorch; undefined if no `python3` has it. Throws `UsageError` if its dense layers are computed by the reference
 * BLAS, which is many times slower than the others: a ratio to it would say nothing.
 */
export function findTorch(
  ask: typeof probeTorch = probeTorch,
  interpreters: readonly string[] = ["python3", "/usr/bin/python3"],
): Torch | undefined {
  for (const interpreter of interpreters) {
    const found = ask(interpreter, {});
    if (found === undefined) continue;
    const { kind, name } = found.blas;
    if (kind === "reference")
      throw new UsageError(
        `PyTorch ${found.version} of ${interpreter} computes dense layers by the reference BLAS (${name}), which is no peer: install another one (on Debian: apt-get install libopenblas0-pthread), or choose cases without PyTorch by --only convolutional`,
      );
    const trials = [{ environment: {}, answer: found }];
    if (kind === "openblas")
      for (const kernels of OPENBLAS_KERNELS) {
        const environment = { OPENBLAS_CORETYPE: kernels };
        const answer = ask(interpreter, environment);
        if (answer !== undefined) trials.push({ environment, answer });
      }
    const best = trials.reduce((one, other) => (other.answer.speed > one.answer.speed ? other : one));
    const { blas } = best.answer;
    return {
      interpreter,
      name: `PyTorch ${found.version}`,
      blas: blas.kernels === undefined ? blas.name : `${blas.name}, kernels ${blas.kernels}`,
      environment: best.environment,
    };
  }
  return undefined;
}

/** A process of PyTorch with one net in one setting. */
class TorchProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #complaints: string[] = [];

  constructor({ interpreter, environment }: Torch, spec: { readonly threads: number }) {
    this.#child = spawn(interpreter, [script, JSON.stringify(spec)], {
      env: { ...process.env, ...threadsOf(spec.threads), ...environment },
    });
    this.#child.stderr.on("data", (data) => this.#complaints.push(String(data)));
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  async next(): Promise<string> {
    const line = await this.#lines.next();
    if (line.done === true) throw new Error(`PyTorch ended: ${this.#complaints.join("")}`);
    return line.value;
  }

  async seconds(task: string): Promise<number> {
    this.#child.stdin.write(`${task}\n`);
    return Number(await this.next());
  }

  end(): void {
    this.#child.stdin.end();
  }
}

/**
 * Opens a net in PyTorch with at most so many threads. Every number of threads, both orders of axes, and inference with and
 * without a frozen graph are tried, each twice after a first call; the fastest for training and the fastest for inference stay.
 */
export async function openTorchNet(torch: Torch, spec: object, most: number): Promise<TorchNet> {
  const best = new Map<
    "train" | "infer",
    { process: TorchProcess; seconds: number; task: string; setting: string }
  >();
  const inUse = () => new Set([...best.values()].map(({ process }) => process));
  for (let threads = most; threads >= 1; threads--)
    for (const layout of ["channels_last", "channels_first"]) {
      const process = new TorchProcess(torch, { ...spec, threads, layout } as { threads: number });
      await process.next();
      const before = inUse();
      for (const [what, task, how] of [
        ["train", "train", ""],
        ["infer", "infer", ""],
        ["infer", "infer-frozen", ", frozen"],
      ] as const) {
        await process.seconds(task);
        const seconds = Math.min(await process.seconds(task), await process.seconds(task));
        const setting = `${threads} ${threads === 1 ? "thread" : "threads"}, ${layout}${how}`;
        if (seconds < (best.get(what)?.seconds ?? Infinity))
          best.set(what, { process, seconds, task, setting });
      }
      const after = inUse();
      for (const one of [...before, process]) if (!after.has(one)) one.end();
    }
  const task = (what: "train" | "infer"): TorchTask => {
    const { process, task: line, setting } = best.get(what)!;
    return {
      name: `${torch.name}, ${setting}; ${torch.blas}`,
      seconds: () => process.seconds(line),
    };
  };
  return {
    train: task("train"),
    infer: task("infer"),
    dispose: () => {
      for (const process of inUse()) process.end();
    },
  };
}

import { moduleBeside } from "../../module-beside.ts";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { getEnvironmentData, setEnvironmentData } from "node:worker_threads";
import { type InferenceSession, Tensor } from "onnxruntime-node";
import type { Shapes } from "../engine.ts";
import { sizeOf, withSizes } from "../tensors.ts";
import type { CreateSession, Session } from "./session.ts";

/** Rows of the trial if a model takes any number: two rows expose an output whose first axis is not the batch. */
const TRIAL_ROWS = 2;
/** Two positions take seconds at most; some damaged models have no end. */
const LONGEST_TRIAL_MS = 120_000;

/** What is computed of a model. */
export interface ModelTrial {
  readonly file: string;
  readonly options: InferenceSession.SessionOptions;
  readonly shapes: Shapes;
  readonly outputs: readonly string[];
}

/** Opens a model, and computes it once with zeros. */
export async function computeOnce(
  { file, options, outputs, shapes }: ModelTrial,
  create: CreateSession,
): Promise<{
  readonly session: Session;
  readonly rows: number;
  readonly results: Readonly<Record<string, Tensor>>;
}> {
  // By its path, so that weights in files beside it are found.
  const session = await create(file, options);
  const feeds = Object.entries(shapes).map(([name, shape]) => {
    const sizes = withSizes(shape, TRIAL_ROWS, 0);
    return [name, new Tensor("float32", new Float32Array(sizeOf(sizes)), sizes)] as const;
  });
  try {
    const results = await session.run(Object.fromEntries(feeds), outputs);
    return { session, rows: feeds[0]![1].dims[0]!, results };
  } catch (error) {
    await session.release();
    throw error;
  }
}

/**
 * Computes a model once in a process of its own: some damaged models end the process of ONNX Runtime, without an error that
 * could be caught. Threads that are started later do not repeat it for the same file. Throws Error with what has happened.
 */
export async function tryApart(trial: ModelTrial): Promise<void> {
  const { dev, ino, mtimeMs, size } = statSync(trial.file);
  const key = `model computed: ${[dev, ino, mtimeMs, size, JSON.stringify(trial)].join(" ")}`;
  if (getEnvironmentData(key) === true) return;
  const program = fileURLToPath(moduleBeside("model-trial-process", import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(trial)], {
    stdio: ["ignore", "ignore", "pipe"],
    timeout: LONGEST_TRIAL_MS,
    killSignal: "SIGKILL",
  });
  let lastWords = "";
  child.stderr.on("data", (bytes: Buffer) => (lastWords = `${lastWords}${bytes.toString()}`.slice(-1000)));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  if (signal === "SIGKILL")
    throw new Error(
      `two positions take longer than ${LONGEST_TRIAL_MS / 1000} s, or the memory of this machine; it may be damaged`,
    );
  if (code !== 0) {
    const onCpu =
      trial.options.executionProviders?.includes("webgpu") === true ? ", or choose the device cpu" : "";
    throw new Error(
      `ONNX Runtime crashes (${signal ?? `exit code ${code}`}: ${lastWords.trim().split("\n").at(-1) ?? ""}); it is damaged, or uses an operator in a way that ONNX Runtime does not expect: export it again${onCpu}`,
    );
  }
  setEnvironmentData(key, true);
}

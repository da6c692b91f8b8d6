import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { InferenceSession } from "onnxruntime-node";
import { moduleBeside } from "../../module-beside.ts";
import { counted } from "../../messages/counted.ts";

/** Makes ONNX Runtime refuse a graph of which the CPU would compute a part. */
const NO_CPU = { session: { disable_cpu_ep_fallback: "1" } };
const REFUSED = /fallback to CPU EP has been explicitly disabled/;
/** Maximum number of nodes that a warning names. */
const MOST_NAMED = 8;

/**
 * Opens a session on a device. If the device has no kernel for some nodes, so that the CPU computes them and values are copied to and
 * fro, `warn` receives their names.
 */
export async function openPlaced<S>(
  open: (options: InferenceSession.SessionOptions) => Promise<S>,
  model: Uint8Array | string,
  options: InferenceSession.SessionOptions,
  warn: (message: string) => void,
): Promise<S> {
  if (options.executionProviders?.includes("webgpu") !== true) return await open(options);
  try {
    return await open({ ...options, extra: NO_CPU, logSeverityLevel: 4 });
  } catch (error) {
    if (!REFUSED.test((error as Error).message)) throw error;
  }
  warn(placementText(nodesOnCpu(model)));
  return await open(options);
}

/** What a warning says of nodes that the CPU computes; `names` are undefined if they could not be found out. */
export function placementText(names: readonly string[] | undefined): string {
  const which =
    names === undefined
      ? "some nodes"
      : `${counted(names.length, "node")} (${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ", ..." : ""})`;
  return `webgpu has no kernels for ${which} of a graph: the CPU computes them, which makes each call slower`;
}

/**
 * The nodes of a model that the CPU computes, as ONNX Runtime reports them on standard error of a process of its own; undefined if it
 * does not.
 */
function nodesOnCpu(model: Uint8Array | string): string[] | undefined {
  const program = fileURLToPath(moduleBeside("placement-process", import.meta.url));
  const { stderr } = spawnSync(process.execPath, [program, ...(typeof model === "string" ? [model] : [])], {
    ...(typeof model === "string" ? {} : { input: model }),
    encoding: "utf8",
    maxBuffer: 1 << 30,
  });
  return namesOnCpu(stderr);
}

/** The names of the nodes that ONNX Runtime's log places on the CPU; undefined if it has no such list. */
export function namesOnCpu(log: string): string[] | undefined {
  let onCpu = false;
  let listed = false;
  const names: string[] = [];
  for (const line of log.split("\n")) {
    const provider = /\] +(?:All nodes|Node\(s\)) placed on \[(\w+)\]/.exec(line)?.[1];
    if (provider !== undefined) {
      onCpu = provider === "CPUExecutionProvider";
      listed = true;
    }
    const name = /VerifyEachNodeIsAssignedToAnEp\] +\S+ \((.+)\)$/.exec(line.trimEnd())?.[1];
    if (onCpu && name !== undefined) names.push(name);
  }
  return listed ? names : undefined;
}

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { arch, availableParallelism, cpus, platform, release, totalmem, type } from "node:os";
import { dirname, join } from "node:path";

/** What a machine is, and what is installed on it. */
export interface MachineFacts {
  /** The system and its release: `Linux 6.1.0`. */
  readonly system: string;
  /** As Node names them: `linux-x64`. */
  readonly platform: string;
  readonly processor: string;
  /** Cores that this process may use. */
  readonly cores: number;
  /** Memory in bytes. */
  readonly memory: number;
  /** Version of the Node that runs ludoflow. */
  readonly node: string;
  /** ONNX Runtime; absent if it is not installed. */
  readonly onnxRuntime?: {
    readonly version: string;
    /** The platforms whose binaries are installed: `linux-x64`. */
    readonly platforms: readonly string[];
  };
}

/** The facts of this machine. Loads no engine. */
export function machineFacts(): MachineFacts {
  const runtime = onnxRuntime();
  return {
    system: `${type()} ${release()}`,
    platform: `${platform()}-${arch()}`,
    processor: cpus()[0]?.model.trim() ?? "an unknown processor",
    cores: availableParallelism(),
    memory: totalmem(),
    node: process.versions.node,
    ...(runtime === undefined ? {} : { onnxRuntime: runtime }),
  };
}

function onnxRuntime(): MachineFacts["onnxRuntime"] {
  let file: string;
  try {
    file = createRequire(import.meta.url).resolve("onnxruntime-node/package.json");
  } catch {
    return undefined;
  }
  const { version } = JSON.parse(readFileSync(file, "utf8")) as { readonly version: string };
  // Beside the version of Node's interface for native code: bin/napi-v6/linux/x64.
  const binaries = join(dirname(file), "bin");
  const platforms = foldersIn(binaries)
    .flatMap((api) => foldersIn(join(binaries, api)).map((system) => join(api, system)))
    .flatMap((system) =>
      foldersIn(join(binaries, system)).map((name) => `${system.split(/[\\/]/).at(-1)!}-${name}`),
    );
  return { version, platforms: platforms.toSorted() };
}

function foldersIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  );
}

import { demandOnnxRuntime } from "../../compute/onnx-runtime.ts";
import { type Device, devices } from "../../compute/engine.ts";
import { defaultPython } from "../../compute/open-engine.ts";
import { lookAtTorch, type TorchSight } from "../../compute/torch/process.ts";
import { type EngineSpeed, tryEngine, type TriedCompute } from "./engine-trial.ts";
import { type MachineFacts, machineFacts } from "./machine-facts.ts";

/** Experiments whose nets are measured, small to large: the last one is that of the paper on Blokus. */
export const measuredExperiments = ["connect-four-zero", "blokuszero-fast", "blokuszero"] as const;

/** One of these. */
export type MeasuredExperiment = (typeof measuredExperiments)[number];

/** An engine on a device of this machine. */
export interface ExaminedEngine {
  /** What a file says to have it. */
  readonly compute: TriedCompute;
  /** In words, with versions: `onnx on cpu, 1 thread`; absent if it is not available. */
  readonly description?: string;
  readonly facts?: Readonly<Record<string, string | number>>;
  /** Why it cannot be used, and what to do. */
  readonly unavailable?: string;
  /** Its speed by experiment, or why there is none. */
  readonly speeds: Readonly<Partial<Record<MeasuredExperiment, EngineSpeed | { readonly failed: string }>>>;
}

/** What this machine has, and what would work. */
export interface Examination {
  readonly machine: MachineFacts;
  readonly torch: TorchSight | { readonly unavailable: string };
  readonly engines: readonly ExaminedEngine[];
  /** The fastest engine for each experiment, by the time of its self-play and training; absent if none was measured. */
  readonly fastest: Readonly<Partial<Record<MeasuredExperiment, TriedCompute>>>;
}

/** How a machine is examined. */
export interface Examining {
  /** Seconds for each net on each engine; 0 measures nothing. */
  readonly seconds: number;
  /** The Python whose PyTorch is looked for; absent: the one that an experiment starts which names none. */
  readonly python?: string;
  /** Receives what is done next. */
  readonly say: (text: string) => void;
}

/**
 * Looks at what this machine has to compute nets with, and measures self-play and training of three experiments with every engine
 * that works. An engine that fails is reported, and the others are measured.
 */
export async function examine({ python, say, seconds }: Examining): Promise<Examination> {
  const machine = machineFacts();
  const program = python ?? defaultPython;
  say(`looking for PyTorch: ${program}`);
  const torch = await lookAtTorch(program).catch((error: Error) => ({ unavailable: error.message }));
  const engines: ExaminedEngine[] = [];
  for (const compute of candidates(torch, python)) {
    say(`opening ${engineName(compute)}`);
    engines.push(await examined(compute, seconds, say));
  }
  return { machine, torch, engines, fastest: fastestOf(engines) };
}

/** The engines to try: ONNX Runtime on its devices, and PyTorch on the CPU and on the GPUs that it sees. */
function candidates(torch: Examination["torch"], python: string | undefined): TriedCompute[] {
  const named = python === undefined ? {} : { python };
  const ofTorch: Device[] =
    "unavailable" in torch ? [] : ["cpu", ...devices.filter((device) => torch.devices[device] !== undefined)];
  return [
    { engine: "onnx", device: "cpu" },
    { engine: "onnx", device: "webgpu" },
    ...ofTorch.map((device) => ({ engine: "torch", device, ...named }) as const),
  ];
}

async function examined(
  compute: TriedCompute,
  seconds: number,
  say: (text: string) => void,
): Promise<ExaminedEngine> {
  try {
    if (compute.engine === "onnx") demandOnnxRuntime();
  } catch (error) {
    return { compute, unavailable: (error as Error).message, speeds: {} };
  }
  const opened = await tryEngine({ compute, seconds: 0 });
  if ("failed" in opened) return { compute, unavailable: opened.failed, speeds: {} };
  const { description, facts } = opened;
  const speeds: Partial<Record<MeasuredExperiment, EngineSpeed | { readonly failed: string }>> = {};
  for (const experiment of seconds === 0 ? [] : measuredExperiments) {
    say(`measuring ${experiment} with ${engineName(compute)}`);
    const outcome = await tryEngine({ compute, experiment, seconds });
    speeds[experiment] = "failed" in outcome ? outcome : outcome.speed!;
  }
  return { compute, description, facts, speeds };
}

/** For people: `torch on cuda`. */
export function engineName({ device, engine }: TriedCompute): string {
  return `${engine} on ${device}`;
}

/** The fastest engine by experiment. A lower bound of a time comes after all times that were measured: it may be any more. */
export function fastestOf(engines: readonly ExaminedEngine[]): Examination["fastest"] {
  const fastest: Partial<Record<MeasuredExperiment, TriedCompute>> = {};
  for (const experiment of measuredExperiments) {
    const measured = engines.flatMap(({ compute, speeds }) => {
      const speed = speeds[experiment];
      return speed === undefined || "failed" in speed || speed.hour === undefined
        ? []
        : [{ compute, ...speed }];
    });
    const [best] = measured.toSorted((a, b) => Number(a.least) - Number(b.least) || a.seconds - b.seconds);
    if (best !== undefined) fastest[experiment] = best.compute;
  }
  return fastest;
}

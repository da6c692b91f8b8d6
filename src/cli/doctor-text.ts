import { column, tabulated } from "../formats/table.ts";
import {
  type Examination,
  type ExaminedEngine,
  type MeasuredExperiment,
  measuredExperiments,
  engineName,
} from "../graph/doctor/examination.ts";
import type { EngineSpeed, TriedCompute } from "../graph/doctor/engine-trial.ts";
import { counted } from "../messages/counted.ts";
import { durationText } from "./progress/cost-text.ts";
import { padEndTo } from "./text-columns.ts";
import { textTable } from "./text-table.ts";

/** What was found about a machine as plain text. */
export function doctorText(found: Examination): string {
  const { engines, machine } = found;
  const { cores, memory, node, platform, processor, system } = machine;
  const facts = [
    [
      "system",
      `${system} (${platform}), ${counted(cores, "core")} of ${processor}, ${gibibytes(memory)} of memory`,
    ],
    ["Node", node],
    ["ONNX Runtime", runtimeText(found)],
    ["PyTorch", torchText(found)],
    ...engines.map((engine) => [
      engineName(engine.compute),
      engine.unavailable === undefined ? `works: ${engine.description}` : engine.unavailable,
    ]),
  ] as [string, string][];
  const width = Math.max(...facts.map(([name]) => name.length));
  const lines = facts.map(([name, text]) => `${padEndTo(name, width)}  ${text}`);
  const rows = engines.flatMap(rowsOf);
  if (rows.length === 0) return `${lines.join("\n")}\n`;
  return `${[...lines, "", ...speedTable(rows), ...failures(rows), "", ...adviceLines(found)].join("\n")}\n`;
}

const GIBIBYTE = 2 ** 30;

function gibibytes(bytes: number): string {
  return `${Number((bytes / GIBIBYTE).toPrecision(2)).toLocaleString("en-US")} GiB`;
}

function runtimeText({ machine: { onnxRuntime, platform } }: Examination): string {
  if (onnxRuntime === undefined) return "not installed";
  const { platforms, version } = onnxRuntime;
  const here = platforms.includes(platform) ? "" : `; none for ${platform}`;
  // Whoever looks at another machine's report from a Mac finds it here.
  return `${version}, with binaries for ${platforms.join(", ")}${here}; since 1.24 there are none for Macs with Intel processors`;
}

function torchText({ torch }: Examination): string {
  if ("unavailable" in torch) return torch.unavailable;
  const { cuda, python, rocm, torch: version } = torch.facts;
  const built =
    cuda !== undefined ? `built for CUDA ${cuda}` : rocm !== undefined ? `built for ROCm ${rocm}` : undefined;
  const seen = Object.entries(torch.devices).map(([device, model]) => `${device}: ${model}`);
  const parts = [
    `${version} of Python ${python}`,
    built ?? "built without CUDA and ROCm",
    seen.length === 0 ? "sees no GPU" : `sees ${seen.join(", ")}`,
  ];
  return parts.join(", ");
}

interface SpeedRow {
  readonly engine: string;
  readonly experiment: MeasuredExperiment;
  readonly speed: EngineSpeed | { readonly failed: string };
}

function rowsOf({ compute, speeds }: ExaminedEngine): SpeedRow[] {
  return measuredExperiments.flatMap((experiment) => {
    const speed = speeds[experiment];
    return speed === undefined ? [] : [{ engine: engineName(compute), experiment, speed }];
  });
}

function speedTable(rows: readonly SpeedRow[]): string[] {
  const of =
    <T>(cell: (speed: EngineSpeed) => T) =>
    ({ speed }: SpeedRow) =>
      "failed" in speed ? undefined : cell(speed);
  return textTable(
    tabulated(rows, [
      column.text("engine", ({ engine }) => engine),
      column.text("experiment", ({ experiment }) => experiment),
      column.text(
        "weights",
        of(({ weights }) => millions(weights)),
        { align: "right" },
      ),
      column.number(
        "evaluations/s",
        of(({ evaluations }) => evaluations),
      ),
      column.number(
        "steps/s",
        of(({ steps }) => steps),
      ),
      column.number(
        "positions/s",
        of(({ batch, steps }) => steps && batch * steps),
        {
          head: "positions trained/s",
        },
      ),
      column.text(
        "hour",
        of(({ hour, least }) => hour && `${least ? "below " : ""}${hourText(hour)}`),
        {
          head: "in an hour",
          align: "right",
        },
      ),
    ]),
  );
}

function millions(weights: number): string {
  return weights < 1e6 ? weights.toLocaleString("en-US") : `${(weights / 1e6).toFixed(1)} million`;
}

/** `3.1 games, 28 steps`. */
function hourText(hour: Readonly<Record<string, number>>): string {
  return Object.entries(hour)
    .map(([unit, amount]) => `${Number(amount.toPrecision(2)).toLocaleString("en-US")} ${unit}`)
    .join(", ");
}

function failures(rows: readonly SpeedRow[]): string[] {
  return rows.flatMap(({ engine, experiment, speed }) =>
    "failed" in speed ? [`${engine}, ${experiment}: ${speed.failed}`] : [],
  );
}

function adviceLines({ engines, fastest }: Examination): string[] {
  const lines = measuredExperiments.flatMap((experiment) => {
    const compute = fastest[experiment];
    if (compute === undefined) return [];
    const { speeds } = engines.find((engine) => engine.compute === compute)!;
    const { least, seconds } = speeds[experiment] as EngineSpeed;
    const time = `${least ? "at least" : "about"} ${durationText(seconds)}`;
    return [`${experiment}: ${time} without its matches, fastest by compute: ${inFile(compute)}`];
  });
  return lines.length > 0
    ? lines
    : ["no experiment could be measured in this time; --for 1m (or longer) measures for longer"];
}

/** As a file says it. */
function inFile(compute: TriedCompute): string {
  return `{ ${Object.entries(compute)
    .map(([key, value]) => `${key}: ${value}`)
    .join(", ")} }`;
}

import { devices, engines } from "../compute/engine.ts";
import { taggedUnion, Type, type TObject, type TProperties, type TSchema } from "../schema.ts";
import { games } from "../games/registry.ts";
import { hasOwnGraph, nets } from "../models/registry.ts";
import { type EvaluationPrecision, evaluationPrecisions } from "../operators/experiment/open-experiment.ts";
import { agentKinds, netSettings } from "../operators/experiment/agent-kinds.ts";
import { operators, services } from "../operators/registry.ts";
import { stageSchema } from "../operators/operator.ts";
import { serviceSchema } from "../operators/play/service.ts";
import { sweepSchema } from "./sweep/sweep-schema.ts";

/** The seed of an experiment that names none. */
export const DEFAULT_SEED = 1;

const closed = { additionalProperties: false } as const;

/** Most characters of a name. Files of runs are called after it, with endings, and file systems allow 255 bytes. */
export const MOST_NAME_CHARACTERS = 100;

function member(key: string, name: string, description: string, properties: TProperties): TObject {
  return Type.Object(
    { [key]: Type.Literal(name, { description }), ...properties },
    { ...closed, description },
  );
}

/** The setting `evaluations` of nets that are computed. */
const evaluations = Type.Optional(
  Type.Unsafe<EvaluationPrecision>({
    type: "string",
    enum: [...evaluationPrecisions],
    description:
      "The numbers that the net is computed in when it plays: float32, also if absent; int8: convolutions in 8-bit integers, faster on the CPU and with a small error (engine onnx, device cpu); auto: int8 if it is at least 1.3 times as fast and its error is small, which is measured when a run begins and kept. Training stays in float32.",
  }),
);

/** The values of the key that selects the form, in the entries of one part of a file. */
type Named = readonly unknown[] | undefined;

/** The names in a file: its game, and the `use` of its nets, agents and stages; undefined for an unreadable part. */
export interface NamedForms {
  readonly game: Named;
  readonly nets: Named;
  readonly agents: Named;
  readonly graph: Named;
}

/**
 * The schema of an experiment file, made from the registries: draft-07, closed at every level, every key
 * described, defaults filled in by the checker.
 *
 * With `only` it has only the forms that a file names, and compiles in a fraction of the time. Its verdict on that file is
 * the same: if the file has an unknown name, all forms stay, because the message lists them.
 */
export function experimentSchema(only?: NamedForms): TObject {
  const forms = <D>(all: readonly D[], wanted: Named, name: (definition: D) => string): readonly D[] => {
    if (wanted?.every((each) => all.some((definition) => name(definition) === each)) !== true) return all;
    const some = all.filter((definition) => wanted.includes(name(definition)));
    // A union needs at least one form, even if the file has no entry.
    return some.length > 0 ? some : all.slice(0, 1);
  };
  const game = taggedUnion(
    "rules",
    "The game and its options.",
    forms(games, only?.game, ({ name }) => name).map((definition) =>
      member("rules", definition.name, definition.description, definition.options.properties),
    ),
    { numericNames: true },
  );
  const net = taggedUnion(
    "use",
    "A value function or net.",
    forms(nets, only?.nets, ({ name }) => name).map((definition) =>
      member("use", definition.name, definition.description, {
        ...definition.options.properties,
        weights: Type.Optional(
          Type.String({
            description: "A checkpoint folder to take the first weights from, relative to this file.",
          }),
        ),
        ...(hasOwnGraph(definition) ? { evaluations } : {}),
      }),
    ),
  );
  const agent = taggedUnion(
    "use",
    "A player: a search and what it evaluates positions with, or another program.",
    forms(agentKinds(), only?.agents, ({ name }) => name).map((definition) => {
      return member("use", definition.name, definition.description, {
        ...netSettings(definition),
        ...definition.options.properties,
      });
    }),
  );
  const stage = taggedUnion(
    "use",
    "A stage of the graph.",
    forms([...operators, ...services], only?.graph, ({ use }) => use).map((each) =>
      "inputs" in each ? stageSchema(each) : serviceSchema(each),
    ),
  );
  const named = (schema: TSchema, description: string, options = {}) =>
    Type.Unsafe({
      description,
      type: "object",
      propertyNames: { pattern: "^[A-Za-z0-9][A-Za-z0-9_-]*$", maxLength: MOST_NAME_CHARACTERS },
      additionalProperties: schema,
      ...options,
    });
  const schema = Type.Object(
    {
      name: Type.String({
        pattern: "^[A-Za-z0-9][A-Za-z0-9._-]*$",
        maxLength: MOST_NAME_CHARACTERS,
        // Editors show this too, in place of the pattern.
        patternErrorMessage:
          'expected letters a to z or A to Z, digits, "-", "_" and ".", with a letter or a digit first',
        description: "The experiment's name; its runs lie under runs/<name>/.",
      }),
      description: Type.Optional(
        Type.String({
          description:
            "What the experiment shows, and its source. Files that extend this one do not inherit it.",
        }),
      ),
      extends: Type.Optional(
        Type.String({
          description:
            "A file to take everything from that is not said here: relative to this file, or the name of an experiment that comes with ludoflow.",
        }),
      ),
      smaller: Type.Optional(
        Type.String({
          description:
            "A file that shows the same in less time, relative to this file. For experiments at the full scale of their source: run names the smaller file and measures what this one costs before it starts. Files that extend this one do not inherit it.",
        }),
      ),
      cost: Type.Optional(
        Type.String({
          description:
            "How long a run takes, and on what, in a few words: the command experiments shows it. Files that extend this one do not inherit it.",
        }),
      ),
      plugins: Type.Optional(
        Type.Array(Type.String({ minLength: 1 }), {
          description:
            "Files of your own that define games, nets, searches and stages: paths that begin with a dot, relative to this file, or names of installed packages.",
        }),
      ),
      sweep: Type.Optional(sweepSchema),
      seed: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          default: DEFAULT_SEED,
          description: "Everything random follows from it. 1 if absent.",
        }),
      ),
      schedule: Type.Unsafe({
        type: "string",
        enum: ["synchronous", "overlapped", "asynchronous"],
        default: "synchronous",
        description:
          "synchronous: play a generation, train, repeat; the run is a function of file and seed. overlapped: generation n + 1 is played with version n of the weights while version n + 1 is learned; also a function of file and seed. asynchronous: games are played with the newest version while the trainer works; not reproducible.",
      }),
      workers: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1024,
          description:
            "Threads that play games; the number of cores if absent. Does not change the results of a synchronous or overlapped run.",
        }),
      ),
      compute: Type.Object(
        {
          engine: Type.Unsafe({
            type: "string",
            enum: engines,
            default: "auto",
            description:
              "What computes nets: ONNX Runtime (onnx), PyTorch in a process of its own (torch), or tfjs; auto is onnx, and nothing is ever replaced by a slower engine.",
          }),
          device: Type.Unsafe({
            type: "string",
            enum: devices,
            default: "cpu",
            description:
              "The device on which nets are computed: the engine onnx has cpu and webgpu; the engine torch cpu, cuda (GPUs of NVIDIA, and of AMD by ROCm), mps (Apple) and xpu (Intel). The engine tfjs has backends instead.",
          }),
          python: Type.Optional(
            Type.String({
              minLength: 1,
              description:
                "For the engine torch: the Python that has PyTorch 1.13 or newer, a name or a path. It is a program that the file names, so you are asked before it starts. Absent: python3, on Windows python.",
            }),
          ),
          backend: Type.Optional(
            Type.Unsafe<"cpu" | "node" | "node-gpu">({
              type: "string",
              enum: ["cpu", "node", "node-gpu"],
              description:
                "For the engine tfjs: plain JavaScript (cpu), @tensorflow/tfjs-node (node) or @tensorflow/tfjs-node-gpu (node-gpu). Default: node if it is installed, else cpu.",
            }),
          ),
          check: Type.Optional(
            Type.Number({
              minimum: 0,
              maximum: 1,
              description:
                "The share of the batches of evaluations that ONNX Runtime computes again on the CPU; a difference beyond rounding stops the run. Absent: 0.01, and 0 if ONNX Runtime computes on the CPU anyway.",
            }),
          ),
          bits: Type.Optional(
            Type.Unsafe<"portable">({
              type: "string",
              enum: ["portable"],
              description:
                "portable: evaluations give equal bits on processors with AVX2 and with AVX-512, so that a fleet may have both (engine onnx, device cpu). Residual nets take up to 1.7 times as long.",
            }),
          ),
          threads: Type.Integer({
            minimum: 1,
            maximum: 1024,
            default: 2,
            description:
              "Threads of one training operation. Part of the experiment: between numbers of threads the last bits of trained weights may differ (those of evaluations never do).",
          }),
        },
        { ...closed, default: {}, description: "Engine and device for nets." },
      ),
      game,
      nets: named(net, "Value functions and nets by name.", { default: {} }),
      agents: named(agent, "Players by name.", { default: {} }),
      graph: named(stage, "The stages, by names of your own.", { minProperties: 1 }),
    },
    { ...closed, description: "A ludoflow experiment." },
  );
  return defaultsOptional(JSON.parse(JSON.stringify(schema)) as TObject);
}

/** Removes keys with a default from `required` everywhere: they need not be written. */
function defaultsOptional<T>(schema: T): T {
  if (Array.isArray(schema)) for (const item of schema) defaultsOptional(item);
  else if (typeof schema === "object" && schema !== null) {
    const object = schema as Record<string, unknown>;
    const properties = object["properties"] as Record<string, { default?: unknown }> | undefined;
    if (properties !== undefined && Array.isArray(object["required"])) {
      const required = object["required"].filter((key: string) => properties[key]?.default === undefined);
      if (required.length > 0) object["required"] = required;
      else delete object["required"];
    }
    for (const child of Object.values(object)) defaultsOptional(child);
  }
  return schema;
}

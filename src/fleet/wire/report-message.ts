import type { GameReport } from "../../operators/play/game-task.ts";
import { decodePacket, encodePacket, PacketInvalid } from "./packet.ts";
import { isPlainMap } from "../../formats/plain-map.ts";

/** What a joiner says about itself with each result. */
export interface ReportSource {
  /** The id of the joiner. */
  readonly joiner: string;
  /** By SHA-256 of weights: the hash of what the joiner's machine computes with them (see `netBits`). */
  readonly bits: Readonly<Record<string, string>>;
}

/** The result of a task: the report of its game, or the reason why the joiner could not play it. */
export type TaskResult = ReportSource &
  ({ readonly report: GameReport } | { readonly failed: string; readonly report?: undefined });

/** The bytes of a result. */
export function encodeResult(result: TaskResult): Uint8Array {
  const { joiner, bits } = result;
  if (result.report === undefined)
    return encodePacket({ data: { joiner, bits, failed: result.failed }, parts: {} });
  const { record, samples, analysis, decisionSums, forecasts, ...figures } = result.report;
  return encodePacket({
    data: { joiner, bits, figures },
    parts: {
      record,
      samples,
      forecasts: bytesOf(forecasts),
      ...(decisionSums === undefined ? {} : { decisionSums: bytesOf(decisionSums) }),
      ...(analysis === undefined ? {} : { analysis }),
    },
  });
}

/** What a report says in numbers, with the check of each. */
const figureChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  returns: (value) => Array.isArray(value) && value.every(isNumber),
  facts: (value) => isPlainMap(value) && Object.values(value).every(isNumber),
  plies: isNumber,
  startValue: isNumber,
  evaluations: isNumber,
  entropy: isNumberOrAbsent,
  cacheHits: isNumberOrAbsent,
  effort: (value) => value === undefined || (Array.isArray(value) && value.every(isEffort)),
};
const partNames: ReadonlySet<string> = new Set([
  "record",
  "samples",
  "forecasts",
  "decisionSums",
  "analysis",
]);

/** Reads the result of a task. What it says is not compared with anything: see `checkReport`. Throws PacketInvalid. */
export function decodeResult(bytes: Uint8Array): TaskResult {
  const { data, parts } = decodePacket(bytes);
  if (!isPlainMap(data) || typeof data["joiner"] !== "string" || !isPlainMap(data["bits"]))
    throw new PacketInvalid("it is no result");
  const source: ReportSource = {
    joiner: data["joiner"],
    bits: data["bits"] as ReportSource["bits"],
  };
  if (typeof data["failed"] === "string") return { ...source, failed: data["failed"] };
  const { figures } = data;
  const { record, samples, analysis, decisionSums, forecasts } = parts;
  if (!isPlainMap(figures) || record === undefined || samples === undefined || forecasts === undefined)
    throw new PacketInvalid("it is no result");
  if (forecasts.length % Float32Array.BYTES_PER_ELEMENT !== 0)
    throw new PacketInvalid("its forecasts are no numbers");
  if (decisionSums !== undefined && decisionSums.length % Float64Array.BYTES_PER_ELEMENT !== 0)
    throw new PacketInvalid("its sums over decisions are no numbers");
  for (const [name, isRight] of Object.entries(figureChecks))
    if (!isRight(figures[name])) throw new PacketInvalid(`its ${name} has another form`);
  const foreign = [
    ...Object.keys(figures).filter((name) => !Object.hasOwn(figureChecks, name)),
    ...Object.keys(parts).filter((name) => !partNames.has(name)),
  ];
  if (foreign.length > 0) throw new PacketInvalid("it says more than a result does");
  const report = {
    ...(figures as unknown as GameReport),
    record,
    samples,
    forecasts: new Float32Array(forecasts.buffer),
    ...(decisionSums === undefined ? {} : { decisionSums: new Float64Array(decisionSums.buffer) }),
    ...(analysis === undefined ? {} : { analysis }),
  };
  return { ...source, report };
}

/**
 * What of a report does not depend on the machine, as bytes: processor times and hits of caches are left out. Reports of the
 * same task have equal bytes.
 */
export function comparableReport(report: GameReport): Uint8Array {
  const { effort: _effort, cacheHits: _cacheHits, ...rest } = report;
  const sorted = Object.fromEntries(Object.entries(rest).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return encodeResult({ joiner: "", bits: {}, report: sorted as unknown as GameReport });
}

function bytesOf({ buffer, byteLength, byteOffset }: Float32Array | Float64Array): Uint8Array {
  return new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength);
}

function isNumber(value: unknown): boolean {
  return typeof value === "number";
}

function isNumberOrAbsent(value: unknown): boolean {
  return value === undefined || isNumber(value);
}

function isEffort(value: unknown): boolean {
  if (!isPlainMap(value) || !["decisions", "evaluations", "seconds"].every((key) => isNumber(value[key])))
    return false;
  const { evaluatorSeconds, limited } = value;
  return (
    isNumberOrAbsent(evaluatorSeconds) &&
    (limited === undefined ||
      (isPlainMap(limited) &&
        (limited["clock"] === "processor" || limited["clock"] === "wall") &&
        ["allowed", "decisions", "seconds"].every((key) => isNumber(limited[key]))))
  );
}

import { decodeGameRecord, type StoredGame } from "../../formats/game-records.ts";
import type { GameReport, GameTask } from "../../operators/play/game-task.ts";
import { sameValue } from "../../same-value.ts";
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
  const { record, samples, analysis, forecasts, ...figures } = result.report;
  return encodePacket({
    data: { joiner, bits, figures },
    parts: {
      record,
      samples,
      forecasts: new Uint8Array(forecasts.buffer, forecasts.byteOffset, forecasts.byteLength),
      ...(analysis === undefined ? {} : { analysis }),
    },
  });
}

/** Reads the result of a task; a report that cannot be one of this game is refused. Throws PacketInvalid. */
export function decodeResult(bytes: Uint8Array, task: GameTask): TaskResult {
  const { data, parts } = decodePacket(bytes);
  if (!isPlainMap(data) || typeof data["joiner"] !== "string" || !isPlainMap(data["bits"]))
    throw new PacketInvalid("it is no result");
  const source: ReportSource = {
    joiner: data["joiner"],
    bits: data["bits"] as ReportSource["bits"],
  };
  if (typeof data["failed"] === "string") return { ...source, failed: data["failed"] };
  const { record, samples, analysis, forecasts } = parts;
  if (
    !isPlainMap(data["figures"]) ||
    record === undefined ||
    samples === undefined ||
    forecasts === undefined
  )
    throw new PacketInvalid("it is no result");
  if (forecasts.length % Float32Array.BYTES_PER_ELEMENT !== 0)
    throw new PacketInvalid("its forecasts are no numbers");
  const figures = data["figures"];
  const stored = readRecord(record, task);
  for (const [key, value] of Object.entries({
    returns: [...stored.returns],
    facts: stored.facts,
    plies: stored.actions.length,
  }))
    if (!sameValue(figures[key], value)) throw new PacketInvalid(`its ${key} are not those of its record`);
  for (const key of ["startValue", "evaluations"])
    if (typeof figures[key] !== "number") throw new PacketInvalid(`its ${key} is no number`);
  for (const key of ["entropy", "cacheHits"])
    if (figures[key] !== undefined && typeof figures[key] !== "number")
      throw new PacketInvalid(`its ${key} is no number`);
  if (task.measured === true && !isEffort(figures["effort"], task.seats.length))
    throw new PacketInvalid("it does not tell what its decisions cost");
  if ((analysis === undefined) !== (task.analyse === undefined))
    throw new PacketInvalid("its analysis is missing, or was not asked for");
  const report = {
    ...(figures as unknown as GameReport),
    record,
    samples,
    forecasts: new Float32Array(forecasts.buffer),
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

function readRecord(record: Uint8Array, { generation, index, seats, stage }: GameTask): StoredGame {
  let stored: StoredGame;
  try {
    stored = decodeGameRecord(record, stage);
  } catch (error) {
    throw new PacketInvalid(`its record cannot be read: ${(error as Error).message}`);
  }
  if (stored.game !== index || stored.generation !== generation || !sameValue([...stored.seats], [...seats]))
    throw new PacketInvalid("its record is of another game");
  return stored;
}

function isEffort(effort: unknown, seats: number): boolean {
  return (
    Array.isArray(effort) &&
    effort.length === seats &&
    effort.every(
      (each) => isPlainMap(each) && Object.values(each).every((value) => typeof value === "number"),
    )
  );
}

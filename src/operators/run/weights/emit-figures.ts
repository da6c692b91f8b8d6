import type { RunEvent } from "../../../events/event.ts";

/** Emits figures of a version by name, without those that are not known: of a stage, or of a net that no stage learns. */
export function emitFigures(
  { emit, stage }: { readonly emit: (event: RunEvent) => void; readonly stage: string },
  learned: number,
  figures: Readonly<Record<string, number>>,
): void {
  for (const [name, value] of Object.entries(figures))
    if (Number.isFinite(value)) emit({ type: "figure", stage, name, value, learned, unit: "steps" });
}

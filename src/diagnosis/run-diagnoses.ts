import type { DiagnosisFound, RunEvent } from "../events/event.ts";
import { factsOfStage, type RunState } from "../events/run-state.ts";
import type { Detector, WatchedStage, WatchedType } from "./detector.ts";
import { resultDetectors } from "./result-detectors.ts";
import { selfPlayDetectors } from "./self-play-detectors.ts";
import { trainingDetectors } from "./training-detectors.ts";

/** All detectors, by the type of the events that they read. */
const detectors: ReadonlyMap<string, readonly Detector[]> = Map.groupBy(
  [...selfPlayDetectors, ...trainingDetectors, ...resultDetectors] as readonly Detector[],
  ({ reads }) => reads,
);

/**
 * What a run is sure of after one of its events: diagnoses of the event's stage that have not been found before. `state` is that of
 * the run after the event, so a resumed run finds again what it had lost, and nothing twice.
 */
export function diagnosesAfter(
  event: RunEvent,
  state: Pick<RunState, "facts">,
  watched: WatchedStage,
): DiagnosisFound[] {
  const reading = detectors.get(event.type);
  if (reading === undefined || !("stage" in event) || event.stage === undefined) return [];
  const { stage } = event;
  const type = event.type as WatchedType;
  const known = new Set([...factsOfStage(state, "diagnosis", stage)].map(({ event: { name } }) => name));
  const found: DiagnosisFound[] = [];
  for (const detector of reading) {
    const { name } = detector;
    if (known.has(name)) continue;
    const finding = detector.find(factsOfStage(state, type, stage), watched);
    if (finding === undefined) continue;
    known.add(name);
    found.push({ type: "diagnosis", stage, name, ...finding, ...placeOf(event) });
  }
  return found;
}

/** How much the stage had done at an event, and its unit. */
function placeOf(event: RunEvent): Pick<DiagnosisFound, "learned" | "unit"> {
  switch (event.type) {
    case "games":
      return { learned: event.done, unit: "games" };
    case "training":
      return { learned: event.step, unit: "steps" };
    case "self-play-figures":
    case "figure":
    case "match":
      return { learned: event.learned, unit: event.unit };
    default:
      throw new Error(`no diagnosis is made from events of the type ${event.type}`);
  }
}

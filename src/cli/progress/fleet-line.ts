import type { FleetFlow } from "../../events/flow-event.ts";
import { counted } from "../../messages/counted.ts";
import { BETWEEN_PARTS } from "./fitted-parts.ts";
import { numberText, rateText } from "./stage-line.ts";

/** Machines that the line names. */
const NAMED = 3;

/**
 * The machines of a fleet as a line of text: their number, their rate, and the busiest ones.
 *
 * `fleet      3 machines  40 of 48 places busy  5.2 games/s  lab-07:2093 2.6/s  lab-09:11 1.6/s  ...`
 */
export function fleetLine(flow: FleetFlow): string {
  return fleetParts(flow).join(BETWEEN_PARTS);
}

/** The parts of the line of a fleet, the most important ones first. */
export function fleetParts({ joiners, machines, places, waiting }: FleetFlow): string[] {
  const head = "fleet".padEnd(10);
  if (joiners === 0)
    return [head, `nobody has joined${waiting === 0 ? "" : `, ${counted(waiting, "game")} wait`}`];
  const rate = machines.reduce((sum, machine) => sum + machine.rate, 0);
  const busy = machines.reduce((sum, { playing }) => sum + playing, 0);
  // Of very many machines not all are named, and those that are not named are not known to be busy.
  const busyText =
    machines.length === joiners
      ? `${numberText(busy)} of ${counted(places, "place")} busy`
      : counted(places, "place");
  return [
    head,
    counted(joiners, "machine"),
    busyText,
    `${rateText(rate)} games/s`,
    ...machines.slice(0, NAMED).map(({ name, rate: own }) => `${name} ${rateText(own)}/s`),
    ...(joiners > NAMED ? ["..."] : []),
  ];
}

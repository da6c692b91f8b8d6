import type { EqualTime, MeasuredDecisions, TimedAgent } from "./event.ts";

type Fixed = Pick<EqualTime, "agents" | "reference">;

/** Times that differ by no more than this share count as equal. */
const EQUAL = 0.1;

/** What was fixed: `as much processor time a decision as player, 12.3 ms: 912 simulations for uct (900 in the file)`. */
export function equalTimeText(fixed: Fixed): string {
  const numbers = fixed.agents.flatMap(({ agent, measured, simulations }) =>
    simulations === undefined
      ? []
      : [`${simulationsText(simulations)} for ${agent} (${number(measured[0]!.simulations!)} in the file)`],
  );
  return `as much processor time a decision as ${fixed.reference}, ${millisecondsText(target(fixed))}: ${numbers.join(", ")}`;
}

/** What is not equal although it was asked for, and why: a clause for each agent. */
export function unequalTexts(fixed: Fixed): string[] {
  const { agents, reference } = fixed;
  return agents.flatMap((each) => {
    const { agent, simulations } = each;
    const last = each.measured.at(-1)!;
    const ratio = last.milliseconds / target(fixed).milliseconds;
    // A number that follows from the last measurement has not been measured itself.
    const isMeasured = simulations === last.simulations;
    if (agent === reference || !isMeasured || Math.abs(ratio - 1) <= EQUAL) return [];
    return [`${agent} takes ${millisecondsText(last)} a decision: ${whyUnequal(each)}`];
  });
}

function whyUnequal({ simulations }: TimedAgent): string {
  if (simulations === undefined) return "it has no simulations to change";
  return simulations === 1 ? "one simulation is the least" : `${simulationsText(simulations)} are the most`;
}

/** The lines of a file that give another run the numbers that were fixed. */
export function equalTimeYaml({ agents }: Pick<Fixed, "agents">): string {
  const fixed = agents.filter(({ simulations }) => simulations !== undefined);
  const lines = fixed.map(({ agent, simulations }) => `  ${agent}: { simulations: ${simulations} }`);
  return ["agents:", ...lines].join("\n");
}

/** What decisions of the reference took in the last measurement. */
function target({ agents, reference }: Fixed): MeasuredDecisions {
  return agents.find(({ agent }) => agent === reference)!.measured.at(-1)!;
}

function simulationsText(simulations: number): string {
  return simulations === 1 ? "1 simulation" : `${number(simulations)} simulations`;
}

function millisecondsText({ evaluatorMilliseconds, milliseconds }: MeasuredDecisions): string {
  const part = evaluatorMilliseconds === undefined ? "" : ` (${short(evaluatorMilliseconds)} of evaluators)`;
  return `${short(milliseconds)} ms${part}`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function number(value: number): string {
  return value.toLocaleString("en-US");
}

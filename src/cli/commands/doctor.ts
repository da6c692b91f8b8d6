import { Command } from "commander";
import { doctorText } from "../doctor-text.ts";
import { type Allotted, parseDuration } from "../flags/duration-flag.ts";

/** Seconds for each net on each engine by default. */
const MEASURE_SECONDS = 10;

interface DoctorFlags {
  readonly for?: Allotted;
  readonly measure: boolean;
  readonly python?: string;
  readonly json?: boolean;
}

/** `ludoflow doctor`: what this machine has to compute nets with, how fast it is, and what to write into a file. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description(
      "Say what this machine has to compute nets with, measure self-play and training of three experiments with every engine that works, and name the fastest. Nothing is written.",
    )
    .option(
      "--for <duration>",
      `measure each net with each engine for about this time (45s, 2m; default: ${MEASURE_SECONDS}s); large nets may take longer`,
      parseDuration,
    )
    .option("--no-measure", "only say what is there and what works")
    .option(
      "--python <program>",
      "the Python whose PyTorch is looked for, a name or a path (default: python3)",
    )
    .option("--json", "all that was found as one JSON document")
    .addHelpText(
      "after",
      `
Examples:
  $ ludoflow doctor
  $ ludoflow doctor --no-measure
  $ ludoflow doctor --python /opt/venv/bin/python --json`,
    )
    .action(async (options: DoctorFlags) => {
      const { examine } = await import("../../graph/doctor/examination.ts");
      const found = await examine({
        seconds: options.measure ? (options.for?.seconds ?? MEASURE_SECONDS) : 0,
        ...(options.python === undefined ? {} : { python: options.python }),
        say: (text) => process.stderr.write(`${text}\n`),
      });
      process.stdout.write(options.json === true ? `${JSON.stringify(found, null, 2)}\n` : doctorText(found));
    });
}

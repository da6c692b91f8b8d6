import type { Command } from "commander";
import type { HostOfRun } from "../../graph/run-experiment.ts";
import { UsageError } from "../../messages/usage-error.ts";

/** The flags of commands whose runs may have a fleet. */
export interface FleetFlags {
  readonly fleet?: string;
  readonly joinersOnly?: boolean;
  readonly mixed?: boolean;
}

/** Adds the flags of a fleet to a command. */
export function fleetOptions(command: Command): Command {
  return command
    .option(
      "--fleet <url>",
      "also play games on the machines that have joined a fleet: nats://HOST:PORT or tls://HOST:PORT (docs/fleet.md)",
    )
    .option("--joiners-only", "with --fleet: this machine plays no game that joiners can play")
    .option(
      "--mixed",
      "with --fleet: accept joiners whose processors compute other bits; the manifest notes that results depend on which machine plays",
    );
}

/** A fleet that a run is to use. */
export interface OpenFleet {
  readonly hostOf: HostOfRun;
  /** Leaves the server, if no run has done so. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to the fleet of the flags; undefined without one. To be called before anything is written. Throws UsageError,
 * FleetUnavailable.
 */
export async function openFleet({ fleet, joinersOnly, mixed }: FleetFlags): Promise<OpenFleet | undefined> {
  if (fleet === undefined) {
    for (const [flag, given] of Object.entries({ "--joiners-only": joinersOnly, "--mixed": mixed }))
      if (given === true)
        throw new UsageError(`${flag} is about the machines of a fleet: name it with --fleet URL`);
    return undefined;
  }
  // Loaded for fleets alone: other commands start without the client.
  const [{ connectFleet, fleetAddress }, { openFleetHost }, { noteIrreproducible }] = await Promise.all([
    import("../../fleet/connect.ts"),
    import("../../fleet/run/fleet-host.ts"),
    import("../../graph/folder/run-folder.ts"),
  ]);
  const connection = await connectFleet(fleetAddress(fleet), "run");
  return {
    hostOf: ({ folder, note }) =>
      openFleetHost({
        connection,
        folder,
        note,
        mixed: mixed === true,
        playsHere: joinersOnly !== true,
        taint: (reason) => noteIrreproducible(folder, reason),
      }),
    close: () => connection.close(),
  };
}

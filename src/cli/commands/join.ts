import { availableParallelism } from "node:os";
import { Command } from "commander";
import type { Device, EngineName } from "../../compute/engine.ts";
import { loadedPlugins } from "../../plugins/load-plugins.ts";
import { stopSignal } from "../../workers/stop-signals.ts";
import { loadNamed, type PluginFlag, pluginOption } from "../flags/plugin-flags.ts";
import { threads } from "../whole-number.ts";

interface JoinFlags extends PluginFlag {
  readonly workers?: number;
  readonly engine?: EngineName;
  readonly device?: Device;
  readonly python?: string;
}

/** `ludoflow join URL`: plays games for the runs of a fleet. */
export function joinCommand(): Command {
  return pluginOption(new Command("join").argument("<url>", "nats://HOST:PORT or tls://HOST:PORT"))
    .description(
      "Play games for the runs of a fleet until Ctrl-C. No file is needed: runs send what to play, as data. Programs that runs name are never started here.",
    )
    .option("--workers <n>", "threads that play games (default: the number of cores)", threads)
    .option("--engine <name>", "the engine that computes nets here: auto, onnx, torch or tfjs")
    .option("--device <name>", "the device that computes nets here: cpu, webgpu, cuda, mps or xpu")
    .option("--python <path>", "the Python that has PyTorch here, for the engine torch (default: python3)")
    .addHelpText(
      "after",
      `
User and password are read from LUDOFLOW_FLEET_USER and LUDOFLOW_FLEET_PASSWORD, the certificate of an authority of your
own from the file that LUDOFLOW_FLEET_CA names.

Examples:
  $ ludoflow join nats://localhost:4222
  $ ludoflow join tls://broker.example.org --workers 8
  $ ludoflow join nats://localhost --plugin ./hex.ts`,
    )
    .action(async (url: string, flags: JoinFlags) => {
      loadNamed(flags);
      const [{ connectFleet, fleetAddress, isLoopback }, { Joiner }] = await Promise.all([
        import("../../fleet/connect.ts"),
        import("../../fleet/joiner/joiner.ts"),
      ]);
      const address = fleetAddress(url);
      const say = (message: string) => void process.stderr.write(`${message}\n`);
      const connection = await connectFleet(address, "joiner");
      const joiner = await Joiner.open(
        connection,
        {
          workers: flags.workers ?? availableParallelism(),
          compute: {
            ...(flags.engine === undefined ? {} : { engine: flags.engine }),
            ...(flags.device === undefined ? {} : { device: flags.device }),
            ...(flags.python === undefined ? {} : { python: flags.python }),
          },
          plugins: loadedPlugins(),
        },
        say,
      );
      say(`joined ${address.shown}; waits for runs. Ctrl-C leaves, and gives games back`);
      if (!address.tls && !isLoopback(address))
        say("the connection is not encrypted: use tls:// if others can listen (docs/fleet.md)");
      await Promise.race([stopSignal(), connection.closed()]);
      say("leaves; its games go to others");
      await joiner.close();
    });
}

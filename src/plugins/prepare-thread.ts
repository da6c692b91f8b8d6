import { loadPlugin, PluginInvalid, type ThreadPlugins } from "./load-plugins.ts";

/** Loads the plug-ins of the process in a new thread. Throws PluginInvalid, also if a file has changed meanwhile. */
export function prepare(plugins: ThreadPlugins): void {
  for (const { file, sha256 } of plugins)
    if (loadPlugin(file).sha256 !== sha256)
      throw new PluginInvalid(
        file,
        `${file}: it, or a file that it imports, has changed since the command began; start the command again`,
      );
}

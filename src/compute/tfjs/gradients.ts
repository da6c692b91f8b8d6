import { registerHooks } from "node:module";

const FOLDER = "/@tensorflow/tfjs-core/dist/";

/**
 * Registers tfjs's gradients in this thread; takes about half a second the first time.
 *
 * tfjs-core's bundle for Node has the operations without their gradients. The gradients are in the package too, but as
 * modules for bundlers: their imports lack the file extension, which Node requires. A hook adds the extension while they
 * load, for imports between files of that folder only. Both copies of tfjs-core share one engine and one registry through
 * the global object.
 */
export function loadGradients(): Promise<void> {
  loaded ??= load();
  return loaded;
}

let loaded: Promise<void> | undefined;

async function load(): Promise<void> {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const own = specifier.startsWith(".") && context.parentURL?.includes(FOLDER) === true;
      if (!own) return nextResolve(specifier, context);
      const url = new URL(specifier.endsWith(".js") ? specifier : `${specifier}.js`, context.parentURL);
      return { url: url.href, format: "module", shortCircuit: true };
    },
  });
  try {
    await import("@tensorflow/tfjs-core/dist/register_all_gradients.js");
  } finally {
    hooks.deregister();
  }
}

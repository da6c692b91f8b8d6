/** Names of the layers entered and not yet left, outermost first. */
const entered: string[] = [];
let failed = "";

/**
 * Runs `body` as part of the layer `name`, which nests: `block3` then `conv1` is `block3/conv1`.
 *
 * Nodes of the graph and error messages carry this path. `body` must be synchronous.
 */
export function inLayer<T>(name: string, body: () => T): T {
  const outermost = entered.length === 0;
  if (outermost) failed = "";
  entered.push(name);
  try {
    return body();
  } catch (error) {
    // Errors name the innermost layer, whose path contains the outer layers.
    if (failed === "") failed = currentLayer();
    throw error;
  } finally {
    entered.pop();
  }
}

/** The path of the layer being computed, or an empty string outside all layers. */
export function currentLayer(): string {
  return entered.join("/");
}

/** The innermost layer in which the latest error was thrown, or an empty string. */
export function failedLayer(): string {
  return failed;
}

/** Names of the layers entered and not yet left, outermost first. */
const entered: string[] = [];
let failed = "";

/**
 * Runs `body` as part of the layer `name`, which nests: `block3` then `conv1` is `block3/conv1`.
 *
 * The layer names the graph's nodes and stands in error messages. `body` must be synchronous.
 */
export function inLayer<T>(name: string, body: () => T): T {
  const outermost = entered.length === 0;
  if (outermost) failed = "";
  entered.push(name);
  try {
    return body();
  } catch (error) {
    // The innermost layer is the one worth naming; the outer ones are on the same path.
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

/** The innermost layer that the latest error came from, or an empty string. */
export function failedLayer(): string {
  return failed;
}

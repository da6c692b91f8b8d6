/** Why this package cannot be used on this version of Node; undefined if it can. */
export function nodeRefusal(version: string): string | undefined {
  const [major, minor] = version.split(".").map(Number) as [number, number];
  if (major > 22 || (major === 22 && minor >= 18)) return undefined;
  return `ludoflow needs Node 22.18 or newer, and this is ${version}. Run your script by: node node_modules/ludoflow/bin/node.js SCRIPT`;
}

// At once: on older versions the first call would fail with a message about modules.
const refusal = nodeRefusal(process.versions.node);
if (refusal !== undefined) throw Object.assign(new Error(refusal), { code: "ERR_NODE_VERSION" });

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { installCommand } from "../../src/compute/install-command.ts";
import { scratchFolder } from "../formats/scratch-folder.ts";

/** A package of ludoflow in the modules of a folder. */
function installedIn(folder: string): string {
  const root = join(folder, "node_modules/ludoflow");
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "package.json"), '{ "peerDependencies": { "onnxruntime-node": "7.8.9" } }');
  return root;
}

it("installs ONNX Runtime beside the package, wherever the command is typed, and never runs its script", () => {
  const project = scratchFolder();
  const root = installedIn(project);
  expect(installCommand(root, project)).toBe("npm install -g --ignore-scripts onnxruntime-node@7.8.9");
  writeFileSync(join(project, "package.json"), "{}");
  expect(installCommand(root, project)).toBe("npm install --ignore-scripts onnxruntime-node@7.8.9");
  expect(installCommand(root, join(project, "deep/below"))).toBe(
    "npm install --ignore-scripts onnxruntime-node@7.8.9",
  );
  expect(installCommand(root, "/")).toBe(
    `npm install --prefix ${project} --ignore-scripts onnxruntime-node@7.8.9`,
  );
});

it("installs all packages of a checkout", () => {
  expect(installCommand()).toBe("npm ci --ignore-scripts");
});

import { describe, expect, it } from "vitest";
import { optimiser } from "../../src/compute/optimiser.ts";
import { cnn22 } from "../../src/models/nets/cnn22.ts";
import { convolutional } from "../../src/models/nets/convolutional.ts";
import { mlp } from "../../src/models/nets/mlp.ts";
import { residual } from "../../src/models/nets/residual.ts";
import { nets } from "../../src/models/registry.ts";
import { boardGame, netOf } from "../models/boards.ts";
import { textOf } from "./pages.ts";

const text = textOf("docs/formats.md");
const page = /^### Tensors of nets$(.*?)^### /ms.exec(text)![1]!;

/** The rows of the page: a pattern of a name for each shape. */
const rows = [...page.matchAll(/^\| `(\w+)` \| (`.+?`) \| (\[.*?\]) \| ?(.*?) ?\|$/gm)].flatMap(
  ([, net, names, shapes, where]) => {
    const each = [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);
    const of = [...shapes!.matchAll(/\[([^\]]*)\]/g)].map(([, shape]) => shape!);
    return each.map((name, i) => ({ net: net!, name, shape: of[i] ?? of[0]!, where: where! }));
  },
);

type Sizes = Readonly<Record<string, number>>;

/** The size that a product such as `2 G` or `(H - 2) F2` stands for. */
function sizeOf(product: string, sizes: Sizes): number {
  const factors = product.match(/\(.*?\)|\S+/g)!;
  const valueOf = (word: string) => sizes[word] ?? Number(word);
  return factors.reduce((all, factor) => {
    const [, left, right] = /^\((\w+) - (\w+)\)$/.exec(factor) ?? [];
    return all * (left === undefined ? valueOf(factor) : valueOf(left) - valueOf(right!));
  }, 1);
}

function matches(pattern: string, name: string): boolean {
  const parts = pattern
    .replaceAll(/N(?=\/)/g, String.raw`\d+`)
    .replace("/*", "/(?:scale|offset|mean|variance)");
  return new RegExp(`^${parts}$`).test(name);
}

const board = { H: 5, W: 6, C: 7, S: 3, A: 92, P: 3, O: 2 };
const heads = { score: true, ownership: true, reply: true } as const;
const onBoard = boardGame(3, 92, [5, 6, 7], 3, undefined, 2);
const shaped = { filters: 10, blocks: 3, valueUnits: 20 };

/** Every net with every part that it may have; sizes that do not coincide. */
const cases = [
  {
    net: netOf(residual, onBoard, { ...shaped, policyHead: "convolutional", globalPooling: 4, ...heads }),
    sizes: { ...board, F: 10, U: 20, G: 4 },
    without: /: dense/,
  },
  {
    net: netOf(residual, boardGame(3, 92, [5, 6, 7]), { ...shaped, policyHead: "dense", reply: true }),
    sizes: { ...board, F: 10, U: 20 },
    without: /: convolutional/,
  },
  {
    net: netOf(residual, boardGame(1, 92, [5, 6, 7]), { ...shaped, policyHead: "dense" }),
    sizes: { ...board, S: 1, F: 10, U: 20 },
    without: /: convolutional/,
  },
  {
    net: netOf(convolutional, onBoard, { filters: 10, layers: 3, value: true, valueUnits: 20 }),
    sizes: { ...board, F: 10, U: 20 },
  },
  {
    net: netOf(cnn22, boardGame(1, 4, [5, 6, 7]), { filters: [10, 11], units: [12, 13] }),
    sizes: { ...board, F1: 10, F2: 11, U1: 12, U2: 13 },
  },
  {
    net: netOf(mlp, boardGame(3, 92, [5, 6, 7]), { hidden: [10, 11], policy: true }),
    sizes: { ...board, U1: 10, U2: 11 },
  },
];

describe("the names and axes of saved tensors in docs/formats.md", () => {
  it.each(cases)("are those of the net $net.name", ({ net, sizes, without }) => {
    const own = rows.filter((row) => row.net === net.name && !(without?.test(row.where) ?? false));
    for (const { name, shape } of net.parameters) {
      // The second policy head has the parts of the first.
      const row = own.find((each) => matches(each.name, name.replace(/^reply\//, "policy/")));
      expect(row, name).toBeDefined();
      const told = row!.shape.split(", ").map((product) => sizeOf(product, sizes));
      expect(told, name).toEqual(shape);
    }
  });

  it("tell no tensor that no net has", () => {
    const saved = cases.flatMap(({ net }) => net.parameters.map(({ name }) => `${net.name} ${name}`));
    const unknown = rows
      .filter(({ name }) => name !== "reply/...")
      .filter((row) => !saved.some((name) => matches(`${row.net} ${row.name}`, name)));
    expect(unknown).toEqual([]);
    expect(rows.length).toBeGreaterThan(50);
  });

  it("are there for every net that is trained", () => {
    const told = new Set(rows.map(({ net }) => net));
    const trained = nets.filter((net) => !("open" in net)).map(({ name }) => name);
    expect(trained.filter((name) => name !== "onnx" && !told.has(name))).toEqual([]);
  });

  it("name every slot of every optimiser, and every part of a layer", () => {
    const slots = (["sgd", "adam"] as const).flatMap((use) => optimiser({ use }).slots);
    expect(slots.toSorted()).toEqual(["mean", "momentum", "square"]);
    const row = /^\| `optimiser\/SLOT\/` \|.*$/m.exec(page)![0];
    for (const slot of slots) expect(row).toContain(`\`${slot}\``);
    const parts = new Set(
      cases.flatMap(({ net }) => net.parameters.map(({ name }) => name.split("/").at(-1)!)),
    );
    for (const part of parts) expect(page).toMatch(new RegExp(`^\\|.*\`${part}\`.*\\| \\[.*\\] \\|`, "m"));
  });
});

import fc from "fast-check";
import { sgfEscape } from "../../../src/formats/sgf/values.ts";
import type { SgfProperty, SgfTree } from "../../../src/formats/sgf/sgf.ts";

/** A game without the places of its properties. */
export function placeless(tree: SgfTree): SgfTree {
  return {
    nodes: tree.nodes.map((node) => node.map(({ name, values }) => ({ name, values }))),
    variations: tree.variations.map(placeless),
  };
}

const property: fc.Arbitrary<SgfProperty> = fc.record({
  name: fc.stringMatching(/^[A-Z0-9]{1,3}$/),
  values: fc.array(
    fc.string({ unit: "grapheme" }).map((text) => sgfEscape(text)),
    { minLength: 1, maxLength: 3 },
  ),
});

/** Random trees with random properties. */
export const sgfTrees: fc.Arbitrary<SgfTree> = fc.letrec<{ tree: SgfTree }>((tie) => ({
  tree: fc.record({
    nodes: fc.array(fc.array(property, { maxLength: 3 }), { minLength: 1, maxLength: 4 }),
    variations: fc.oneof(
      { maxDepth: 3, depthIdentifier: "tree" },
      fc.constant([]),
      fc.array(tie("tree"), { minLength: 1, maxLength: 3 }),
    ),
  }),
})).tree;

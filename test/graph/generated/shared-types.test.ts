import { expect, it } from "vitest";
import { sharedTypes } from "../../../src/graph/generated/shared-types.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const rave = object({ k: { type: "integer" }, bias: { type: "number" } });
const isMap = ({ type }: { readonly type?: unknown }) => type === "object";

it("names what several schemas have, after the first one and its keys, and keeps descriptions and defaults", () => {
  const { schemas, types } = sharedTypes(
    [
      ["uct", object({ rave: { ...rave, description: "RAVE.", default: {} } })],
      ["mcts-max-n", object({ rave: { ...rave, description: "AMAF." }, depth: object({ most: {} }) })],
    ],
    isMap,
  );
  expect(types).toEqual([
    {
      name: "UctRave",
      schema: { ...rave, description: "RAVE.", default: {} },
      users: ["uct.rave", "mcts-max-n.rave"],
    },
  ]);
  expect(schemas[0]!["properties"].rave).toMatchObject({
    typeName: "UctRave",
    description: "RAVE.",
    default: {},
  });
  expect(schemas[1]!["properties"].rave).toMatchObject({ typeName: "UctRave", description: "AMAF." });
  expect(schemas[1]!["properties"].depth).toEqual(object({ most: {} }));
});

it("names equal schemas as the options of the first one, and not once more what only these have", () => {
  const options = object({ rave });
  const { schemas, types } = sharedTypes(
    [
      ["mcts-max-n", options],
      ["mcts-paranoid", options],
    ],
    isMap,
  );
  expect(types).toEqual([
    { name: "MctsMaxNOptions", schema: options, users: ["mcts-max-n", "mcts-paranoid"] },
  ]);
  expect(schemas.map(({ typeName }) => typeName as string)).toEqual(["MctsMaxNOptions", "MctsMaxNOptions"]);
});

it("leaves short types", () => {
  const depth = { type: "integer" };
  const given = object({ depth });
  const { schemas, types } = sharedTypes(
    [
      ["a", given],
      ["b", object({ depth, table: depth })],
    ],
    isMap,
  );
  expect(types).toEqual([]);
  expect(schemas[0]).toEqual(given);
});

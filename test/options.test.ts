import { describe, expect, it } from "vitest";
import { completeOptions } from "../src/options.ts";
import { Type } from "../src/schema.ts";

const schema = Type.Object(
  {
    simulations: Type.Integer({ minimum: 1, default: 800, description: "Simulations a decision." }),
    noise: Type.Optional(
      Type.Union([Type.Null(), Type.Object({ alpha: Type.Number() }, { additionalProperties: false })], {
        default: null,
        description: "Noise at the root.",
      }),
    ),
    stretches: Type.Optional(
      Type.Array(Type.Object({ until: Type.Integer({ minimum: 1 }) }), { description: "Stretches." }),
    ),
    superko: Type.Optional(
      Type.Union([Type.Literal("positional"), Type.Literal("simple")], { description: "Superko." }),
    ),
    rave: Type.Optional(
      Type.Union(
        [
          Type.Null(),
          Type.Object({ use: Type.Literal("bias"), bias: Type.Number({ minimum: 0 }) }),
          Type.Object({ use: Type.Literal("equivalence") }),
        ],
        { description: "RAVE." },
      ),
    ),
  },
  { additionalProperties: false },
);

describe("completeOptions", () => {
  it("fills in defaults, takes what is given, and changes nothing that is not its own", () => {
    const given = { noise: { alpha: 0.3 } };
    expect(completeOptions(schema, given)).toEqual({ options: { simulations: 800, noise: { alpha: 0.3 } } });
    expect(given).toEqual({ noise: { alpha: 0.3 } });
    expect(completeOptions(schema, {})).toEqual({ options: { simulations: 800, noise: null } });
  });

  it.each([
    [
      { simulation: 5 },
      'unknown option "simulation"; did you mean "simulations"? (known options: simulations, noise, stretches, superko, rave)',
    ],
    [{ colour: 5 }, 'unknown option "colour" (known options: simulations, noise, stretches, superko, rave)'],
    [{ simulations: 0 }, "simulations: expected a whole number from 1, found 0 (Simulations a decision.)"],
    [
      { simulations: 1.5 },
      "simulations: expected a whole number from 1, found 1.5 (Simulations a decision.)",
    ],
    [{ noise: { alpha: "a" } }, 'noise.alpha: expected a number, found "a" (Noise at the root.)'],
    [
      { noise: { alpha: 1, alpa: 1 } },
      'noise: unknown key "alpa"; did you mean "alpha"? (known here: alpha) (Noise at the root.)',
    ],
    [{ noise: {} }, 'noise: "alpha" is missing (Noise at the root.)'],
    [{ noise: "yes" }, 'noise: expected null or a map, found "yes" (Noise at the root.)'],
    [
      { superko: "posional" },
      'superko: expected positional or simple, found "posional"; did you mean "positional"? (Superko.)',
    ],
    [
      { rave: { use: "bais" } },
      'rave: expected null or { use: bias } or { use: equivalence }, found {"use":"bais"}; did you mean "bias"? (RAVE.)',
    ],
    [{ rave: { use: "bias", bias: -1 } }, "rave.bias: expected a number from 0, found -1 (RAVE.)"],
    [
      { stretches: [{ until: 3 }, { until: 0 }] },
      "stretches.1.until: expected a whole number from 1, found 0 (Stretches.)",
    ],
  ])("says what is wrong with %j", (given, wrong) => {
    expect(completeOptions(schema, given)).toEqual({ wrong });
  });

  it("says if there are no options", () => {
    const none = Type.Object({}, { additionalProperties: false });
    expect(completeOptions(none, { plies: 2 })).toEqual({
      wrong: 'unknown option "plies" (known options: none)',
    });
  });
});

it("reports a value that JSON cannot write, as a program may give it", () => {
  const circle: unknown[] = [];
  circle.push(circle);
  expect(completeOptions(schema, { simulations: circle })).toEqual({
    wrong:
      "simulations: expected a whole number from 1, found a value that JSON cannot write (Simulations a decision.)",
  });
});

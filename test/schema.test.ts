import TypeBox from "typebox";
import { describe, expect, expectTypeOf, it } from "vitest";
import { type Static, Type } from "../src/schema.ts";

/** One schema with everything in it, by either set of makers. */
const everything = (make: typeof Type) =>
  make.Object(
    {
      list: make.Array(make.Integer({ minimum: 1 }), { minItems: 1 }),
      flag: make.Optional(make.Boolean({ default: false })),
      kind: make.Literal("tree", { description: "A tree." }),
      size: make.Union([make.Literal(3), make.Number({ maximum: 2.5 }), make.Null()], { default: null }),
      name: make.Optional(make.String({ pattern: "^a" })),
      inner: make.Object({ both: make.Optional(make.Null()) }, { additionalProperties: false }),
      free: make.Unsafe<"a" | "b">({ enum: ["a", "b"] }),
    },
    { additionalProperties: false, description: "Everything." },
  );

describe("Type", () => {
  it("makes the JSON that TypeBox makes, in the same order", () => {
    const theirs = everything(TypeBox);
    expect(JSON.stringify(everything(Type))).toBe(JSON.stringify(theirs));
  });

  it("leaves a schema that is made optional as it was", () => {
    const plain = Type.Integer();
    const maybe = Type.Optional(plain);
    expect(Type.Object({ plain, maybe }).required).toEqual(["plain"]);
  });

  it("has the static types of TypeBox", () => {
    const schema = everything(Type);
    expectTypeOf<Static<typeof schema>>().toEqualTypeOf<{
      list: number[];
      flag?: boolean;
      kind: "tree";
      size: number | null;
      name?: string;
      inner: { both?: null };
      free: "a" | "b";
    }>();
  });
});

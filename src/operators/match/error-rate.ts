import { Type } from "../../schema.ts";

/** The probability of an error of a sequential test. */
export const errorRate = (description: string) =>
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 0.5, default: 0.05, description });

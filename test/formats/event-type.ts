import protobuf from "protobufjs/light.js";

/**
 * The messages of TensorFlow's `event.proto` and `summary.proto` as far as scalars need them.
 *
 * Field numbers are those of tensorflow/core/util/event.proto and tensorflow/core/framework/summary.proto.
 */
export const eventType = protobuf.Root.fromJSON({
  nested: {
    Event: {
      oneofs: { what: { oneof: ["fileVersion", "summary"] } },
      fields: {
        wallTime: { type: "double", id: 1 },
        step: { type: "int64", id: 2 },
        fileVersion: { type: "string", id: 3 },
        summary: { type: "Summary", id: 5 },
      },
    },
    Summary: {
      fields: { value: { rule: "repeated", type: "Value", id: 1 } },
      nested: {
        Value: {
          fields: {
            tag: { type: "string", id: 1 },
            simpleValue: { type: "float", id: 2 },
          },
        },
      },
    },
  },
}).lookupType("Event");

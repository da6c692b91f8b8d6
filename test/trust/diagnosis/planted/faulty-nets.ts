/** A small net for values and policy, with the mistakes that authors of nets make, each behind an option. */
import { choice, defineNet } from "ludoflow";
import { convolution, dense, flatten, tf } from "ludoflow/nets";

export default defineNet({
  name: "faulty-values",
  description: "One convolution with dense heads, whose values are wrong in one of several ways.",
  options: {
    fault: choice(["none", "out-of-range", "exchanged", "divided", "pooled"], {
      default: "none",
      description: "What is wrong.",
    }),
  },
  heads: { value: true, policy: true },
  build: ({ planes: [height, width, channels], seats, actions }, { fault }) => {
    const filters = 8;
    const image = convolution({ name: "image", from: channels, to: filters, size: 3 });
    const cells = fault === "pooled" ? 1 : height * width;
    const value = dense("value", cells * filters, seats);
    const policy = dense("policy", cells * filters, actions);
    return {
      layers: [image, value, policy],
      forward(x, pass) {
        const seen = tf.relu(image.apply(fault === "divided" ? tf.mul(x, 1 / 255) : x, pass));
        const features = flatten(fault === "pooled" ? tf.mean<tf.Tensor4D>(seen, [1, 2], true) : seen);
        const shares = tf.sigmoid(value.apply(features, pass));
        const values =
          fault === "out-of-range"
            ? tf.add<tf.Tensor2D>(shares, 1)
            : fault === "exchanged" && !pass.training
              ? tf.sub<tf.Tensor2D>(1, shares)
              : shares;
        return { value: values, policy: policy.apply(features, pass) };
      },
    };
  },
});

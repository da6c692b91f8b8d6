/** A net with one wide convolution, whose values and policy come from dense layers. */
import { defineNet, integer } from "ludoflow";
import { convolution, dense, flatten, tf } from "ludoflow/nets";

export default defineNet({
  name: "wide",
  description: "One convolution of many filters, and dense heads for values and policy.",
  options: {
    filters: integer({ min: 1, max: 1024, default: 32, description: "Filters of the convolution." }),
  },
  heads: { value: true, policy: true },
  build: ({ planes: [height, width, channels], seats, actions }, { filters }) => {
    const image = convolution({ name: "image", from: channels, to: filters, size: 3 });
    const value = dense("value", height * width * filters, seats);
    const policy = dense("policy", height * width * filters, actions);
    return {
      layers: [image, value, policy],
      forward(x, pass) {
        const features = flatten(tf.relu(image.apply(x, pass)));
        return { value: tf.tanh(value.apply(features, pass)), policy: policy.apply(features, pass) };
      },
    };
  },
});

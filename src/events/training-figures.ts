/** The names of the events `figure` that learners of nets emit with each version. */
export const trainingFigures = {
  gradientNorm: "gradient norm",
  valueDrift: "value drift",
  reads: "reads of an example",
  age: "age of examples, games",
} as const;

const names: ReadonlySet<string> = new Set(Object.values(trainingFigures));

/** Whether a figure is one of training: reports draw these beside the loss. */
export const isTrainingFigure = ({ name }: { readonly name: string }): boolean => names.has(name);

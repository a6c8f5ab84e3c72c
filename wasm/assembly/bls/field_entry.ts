// Every function of the field, and its inverses, for the test of the field only.

export * from "./field";
export { pairInverse, wordsInverse } from "./inverse";

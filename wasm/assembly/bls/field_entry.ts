// Every function of the field, and its inverses, for the field's own test; in no product's module.

export * from "./field";
export { pairInverse, wordsInverse } from "./inverse";

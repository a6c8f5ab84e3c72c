// Every function of the field and nothing above it, for the field's own test; in no product's module.

export * from "./field";

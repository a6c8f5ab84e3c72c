export { fp2Mul } from "./field";

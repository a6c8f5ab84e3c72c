/** The declarations of the library mention no type of these. */

declare module "@noble/*";
declare module "hash-wasm";
declare module "*.wasm";

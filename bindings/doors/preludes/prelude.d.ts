/** Starts the module: the exports of an instance of its WebAssembly. */
export function start(instance: { exports: object }): void;

/** The version of bitwall. */
export function version(): string;


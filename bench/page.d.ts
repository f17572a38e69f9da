/** The page's global `devnet` of src/client/session/dev-tools.ts, as far as the benchmarks need it. */
declare const devnet: undefined | { request(call: { method: string; params?: readonly unknown[] }): Promise<unknown> }

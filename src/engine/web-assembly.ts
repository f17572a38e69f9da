/** The part of WebAssembly's interface that the engine needs; the node's type library lacks it. */
interface WebAssemblyApi {
  validate(bytes: Uint8Array<ArrayBuffer>): boolean
  compile(bytes: Uint8Array<ArrayBuffer>): Promise<WasmModule>
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => WasmModule
  readonly Instance: new (module: WasmModule, imports: WasmImports) => { readonly exports: unknown }
}

/** Compiled code, for any number of instances. */
export interface WasmModule {
  readonly compiled?: never
}

export interface WasmMemory {
  /** Replaced each time that the memory grows. */
  readonly buffer: ArrayBuffer
  /** By pages of 64 KiB. */
  grow(pages: number): number
}

export interface WasmTable {
  readonly length: number
  /** @returns The length before. */
  grow(by: number): number
  set(index: number, value: unknown): void
}

/** Functions of the host, or all that another module exports. */
export type WasmImports = Readonly<
  Record<string, Readonly<Record<string, (...values: never[]) => number | void>> | { readonly memory: WasmMemory }>
>

const { WebAssembly } = globalThis as unknown as { readonly WebAssembly: WebAssemblyApi }

/** Whether the host supports everything that the module needs. */
export function isValidWasm(bytes: Uint8Array<ArrayBuffer>): boolean {
  return WebAssembly.validate(bytes)
}

export function compileWasm(bytes: Uint8Array<ArrayBuffer>): Promise<WasmModule> {
  return WebAssembly.compile(bytes)
}

/** Compiles at once, for small modules; a page's own thread may refuse it. */
export function compileWasmNow(bytes: Uint8Array<ArrayBuffer>): WasmModule {
  return new WebAssembly.Module(bytes)
}

/** @returns What the module exports. */
export function instantiateWasm(module: WasmModule, imports: WasmImports): unknown {
  return new WebAssembly.Instance(module, imports).exports
}

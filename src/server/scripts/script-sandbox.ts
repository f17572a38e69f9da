/** What a script gets of the node, and gives it: a text, a number, or bytes. */
export type ScriptValue = string | number | boolean | Uint8Array | undefined

/** Where one script runs: it reaches what was defined for it, and nothing else. */
export interface ScriptSandbox {
  /** Makes a function of the node callable by the script. What it throws, the script is thrown. */
  define(name: string, call: (...args: readonly unknown[]) => ScriptValue): void
  /** @throws {ScriptError} If the text cannot be run. */
  run(text: string): void
  /**
   * Calls a function of the script.
   *
   * @returns The text that it returns.
   * @throws {ScriptError} If it throws, takes too long, or takes too much memory.
   */
  call(name: string, argument?: string): string | undefined
  /** Ends the script, and frees its memory. */
  close(): void
}

/** Opens sandboxes that share what they are made of, one after the other. */
export interface Sandboxes {
  open(): ScriptSandbox
}

/** A script has failed; the message is its own. */
export class ScriptError extends Error {
  override readonly name = 'ScriptError'
}

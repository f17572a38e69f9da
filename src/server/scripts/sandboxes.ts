import variant from '@jitl/quickjs-singlefile-cjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { type Sandboxes, ScriptError, type ScriptSandbox, type ScriptValue } from './script-sandbox.ts'

/** Bytes of memory of a script, and of its stack. */
const MEMORY_BYTES = 32 << 20
const STACK_BYTES = 64 << 10
/** How long one call of a script may take, in milliseconds. It is looked at every 10,000 jumps and calls. */
const CALL_MS = 2_000
const BROKEN = 'InternalError: the interpreter has failed'

/**
 * Loads QuickJS, an interpreter in WebAssembly, whose scripts reach nothing but what is defined for them. What it gives shares
 * one memory, which goes with it.
 */
export async function loadSandboxes(): Promise<Sandboxes> {
  const quickJs = await newQuickJSWASMModuleFromVariant(variant)
  const state = { isBroken: false }
  return { open: () => new Sandbox(quickJs, state) }
}

/** What sandboxes of one memory share: after the interpreter itself has failed in it, nothing in it is used any more. */
interface SharedState {
  isBroken: boolean
}

class Sandbox implements ScriptSandbox {
  readonly #shared: SharedState
  readonly #context: QuickJSContext
  readonly #functions = new Map<string, QuickJSHandle>()
  #until = 0

  constructor(quickJs: QuickJSWASMModule, shared: SharedState) {
    if (shared.isBroken) throw new ScriptError(BROKEN)
    this.#shared = shared
    const context = quickJs.newContext()
    context.runtime.setMemoryLimit(MEMORY_BYTES)
    context.runtime.setMaxStackSize(STACK_BYTES)
    context.runtime.setInterruptHandler(() => performance.now() > this.#until)
    this.#context = context
  }

  define(name: string, call: (...args: readonly unknown[]) => ScriptValue): void {
    const context = this.#context
    const made = context.newFunction(name, (...args) => {
      try {
        return this.#toHandle(call(...args.map((each) => context.dump(each) as unknown)))
      } catch (error) {
        return { error: context.newError((error as Error).message) }
      }
    })
    made.consume((handle) => context.setProp(context.global, name, handle))
  }

  run(text: string): void {
    this.#taken(() => this.#context.evalCode(text, 'tracer.js')).dispose()
  }

  call(name: string, argument?: string): string | undefined {
    const context = this.#context
    const called = this.#functions.get(name) ?? context.getProp(context.global, name)
    this.#functions.set(name, called)
    const given = argument === undefined ? [] : [context.newString(argument)]
    const result = this.#taken(() => context.callFunction(called, context.undefined, ...given))
    for (const each of given) each.dispose()
    return result.consume((handle) => (context.typeof(handle) === 'string' ? context.getString(handle) : undefined))
  }

  close(): void {
    if (this.#shared.isBroken) return
    for (const called of this.#functions.values()) called.dispose()
    this.#functions.clear()
    // With its runtime, which it was made with.
    this.#context.dispose()
  }

  #taken(work: () => ReturnType<QuickJSContext['evalCode']>): QuickJSHandle {
    if (this.#shared.isBroken) throw new ScriptError(BROKEN)
    this.#until = performance.now() + CALL_MS
    let result: ReturnType<QuickJSContext['evalCode']>
    try {
      result = work()
    } catch (error) {
      // The end of the thread's own stack, for example.
      this.#shared.isBroken = true
      throw new ScriptError(BROKEN, { cause: error })
    }
    if (!result.error) return result.value
    const thrown = result.error.consume((handle) => this.#context.dump(handle) as unknown)
    throw new ScriptError(describe(thrown))
  }

  #toHandle(value: ScriptValue): QuickJSHandle {
    const context = this.#context
    switch (typeof value) {
      case 'string':
        return context.newString(value)
      case 'number':
        return context.newNumber(value)
      case 'boolean':
        return value ? context.true : context.false
      case 'undefined':
        return context.undefined
      default:
        return context.newArrayBuffer(value.slice().buffer)
    }
  }
}

/** What a script has thrown, in words. */
function describe(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown)
  const { name, message } = thrown as { readonly name?: unknown; readonly message?: unknown }
  const text = typeof message === 'string' ? message : 'an object'
  if (name === 'InternalError' && text === 'interrupted') return 'execution timeout'
  return typeof name !== 'string' || name === 'Error' ? text : `${name}: ${text}`
}

/** Writes WebAssembly modules: functions that the engine calls, and what they need. */
import { Assembler } from './assembler.ts'
import { FUNCTIONS, type FunctionType, GLOBALS, OWN } from './imports.ts'
import { highProduct, productByLimb, productByWord } from './multiplications.ts'
import { OP, TYPE } from './opcodes.ts'

const HEADER = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
const SECTION = { type: 1, import: 2, function: 3, export: 7, code: 10 } as const
const KIND = { function: 0, memory: 2, global: 3 } as const
const FUNCTION_TYPE = 0x60
const MUTABLE = 1
const MODULE = 'engine'
const { i32, i64 } = TYPE

const WORD = [i64, i64, i64, i64]
const OWN_TYPES: readonly FunctionType[] = [
  { params: [i64, i64], results: [i64] },
  { params: [...WORD, i64], results: WORD },
  { params: [...WORD, ...WORD], results: WORD },
]
/** Type of the functions for paths. */
const PATH_TYPE: FunctionType = { params: [i32, i64], results: [i32] }

function section(to: Assembler, id: number, write: (content: Assembler) => void): void {
  const content = new Assembler()
  write(content)
  to.byte(id)
  to.unsigned(content.length)
  to.append(content.bytes())
}

function text(to: Assembler, value: string): void {
  to.unsigned(value.length)
  for (let i = 0; i < value.length; i++) to.byte(value.charCodeAt(i))
}

function types(to: Assembler): void {
  const all = [...Object.values<FunctionType>(FUNCTIONS), ...OWN_TYPES, PATH_TYPE]
  to.unsigned(all.length)
  for (const { params, results } of all) {
    to.byte(FUNCTION_TYPE)
    to.unsigned(params.length)
    to.append(params)
    to.unsigned(results.length)
    to.append(results)
  }
}

function imports(to: Assembler): void {
  const names = Object.keys(FUNCTIONS)
  to.unsigned(names.length + GLOBALS.length + 1)
  names.forEach((name, i) => {
    text(to, MODULE)
    text(to, name)
    to.byte(KIND.function)
    to.unsigned(i)
  })
  for (const name of GLOBALS) {
    text(to, MODULE)
    text(to, name)
    to.byte(KIND.global)
    to.byte(i32)
    to.byte(MUTABLE)
  }
  text(to, MODULE)
  text(to, 'memory')
  to.byte(KIND.memory)
  to.append([0, 1])
}

const OWN_BODIES: readonly Uint8Array[] = [highProduct(), productByLimb(OWN.high), productByWord(OWN.high)].map(
  ({ code, locals }) => {
    const body = new Assembler()
    locals.declare(body)
    body.append(code.bytes())
    body.byte(OP.end)
    return body.bytes()
  },
)

/** @param paths - Bodies of functions; they are exported by their numbers. */
export function writeModule(paths: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const to = new Assembler()
  to.append(HEADER)
  section(to, SECTION.type, types)
  section(to, SECTION.import, imports)
  const firstType = Object.keys(FUNCTIONS).length
  section(to, SECTION.function, (content) => {
    content.unsigned(OWN_TYPES.length + paths.length)
    OWN_TYPES.forEach((_, i) => content.unsigned(firstType + i))
    for (const _ of paths) content.unsigned(firstType + OWN_TYPES.length)
  })
  section(to, SECTION.export, (content) => {
    content.unsigned(paths.length)
    paths.forEach((_, i) => {
      text(content, String(i))
      content.byte(KIND.function)
      content.unsigned(OWN.paths + i)
    })
  })
  section(to, SECTION.code, (content) => {
    const bodies = [...OWN_BODIES, ...paths]
    content.unsigned(bodies.length)
    for (const body of bodies) {
      content.unsigned(body.length)
      content.append(body)
    }
  })
  return to.bytes().slice()
}

import { bytesToHex } from '#primitives/hex.ts'
import { utf8Bytes } from '#primitives/utf8.ts'
import { checksumAddress } from '#solidity/keccak.ts'

/** A variable, or a part of one, that a contract can be asked for. */
export interface Probe {
  /** As a debugger writes it: `list[2].x`. */
  readonly path: string
  /** The function that returns it. */
  readonly getter: string
  /** Names of an enum's values; empty for other types. */
  readonly names: readonly string[]
}

/** A contract with variables of random types, and functions that write random values into them. */
export interface RandomContract {
  /** The contract's name is `Random`. `fill` and `change` write, `pass` writes transient variables and returns them. */
  readonly source: string
  readonly stored: readonly Probe[]
  /** Immutable and constant variables. */
  readonly fixed: readonly Probe[]
  /** In the order in which `pass` returns them. */
  readonly transient: readonly Probe[]
}

/** Random numbers from a seed. */
class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to `end`, without it. */
  below(end: number): number {
    // Mulberry32.
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end)
  }

  of<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  bytes(count: number): Uint8Array {
    // Bytes at the edges are where signs and paddings go wrong.
    return Uint8Array.from({ length: count }, () => this.of([0, 1, 0x7f, 0x80, 0xff, this.below(256)]))
  }
}

/** A value in the source, and as a debugger writes it. */
interface Literal {
  readonly code: string
  readonly text: string
}

/** A type whose values are one word. */
interface WordKind {
  readonly name: string
  readonly names: readonly string[]
  readonly literal: (random: Random) => Literal
}

type Kind =
  | { readonly kind: 'word'; readonly word: WordKind }
  | { readonly kind: 'string' | 'bytes' }
  | { readonly kind: 'fixed'; readonly of: Kind; readonly length: number }
  | { readonly kind: 'list'; readonly of: Kind }
  | { readonly kind: 'mapping'; readonly key: Kind; readonly of: Kind }
  | { readonly kind: 'struct'; readonly struct: Struct }

interface Struct {
  readonly name: string
  readonly members: readonly (readonly [name: string, kind: Kind])[]
}

function number(name: string, bits: number): WordKind {
  const isSigned = name.startsWith('int')
  const literal = (random: Random) => {
    const bytes = random.bytes(bits / 8)
    const value = BigInt(bytesToHex(bytes))
    const text = String(isSigned ? BigInt.asIntN(bits, value) : value)
    return { code: text, text }
  }
  return { name, names: [], literal }
}

function fixedBytes(size: number): WordKind {
  const literal = (random: Random) => {
    const hex = bytesToHex(random.bytes(size))
    return { code: `bytes${size}(hex"${hex.slice(2)}")`, text: hex }
  }
  return { name: `bytes${size}`, names: [], literal }
}

function address(name: string, wrap: (code: string) => string): WordKind {
  const literal = (random: Random) => {
    const hex = bytesToHex(random.bytes(20))
    return { code: wrap(`address(uint160(${BigInt(hex)}))`), text: checksumAddress(hex) }
  }
  return { name, names: [], literal }
}

const BOOL: WordKind = {
  name: 'bool',
  names: [],
  literal: (random) => {
    const text = String(random.chance(50))
    return { code: text, text }
  },
}

const ELEMENTARY: readonly ((random: Random) => WordKind)[] = [
  () => BOOL,
  () => address('address', (code) => code),
  (random) => {
    const bits = 8 * (1 + random.below(32))
    return number(`uint${bits}`, bits)
  },
  (random) => {
    const bits = 8 * (1 + random.below(32))
    return number(`int${bits}`, bits)
  },
  (random) => fixedBytes(1 + random.below(32)),
]

const TEXTS = ['a', 'B', '9', ' ', '"', '[', ']', '.', 'ü', '😀', '\\', '—']

function contentLiteral(random: Random, kind: 'string' | 'bytes'): Literal {
  const length = random.of([0, 1, 5, 30, 31, 32, 33, 64, 70])
  if (kind === 'bytes') {
    const hex = bytesToHex(random.bytes(length))
    return { code: `bytes(hex"${hex.slice(2)}")`, text: hex }
  }
  let text = ''
  while (utf8Bytes(text).length < length) text += random.of(TEXTS)
  return { code: `unicode${JSON.stringify(text)}`, text: JSON.stringify(text) }
}

/** Types that a contract may use. */
class Types {
  readonly #random: Random
  readonly #composites: number
  readonly declarations: string[] = ['interface IThing {}']
  readonly #words: WordKind[] = []
  readonly structs: Struct[] = []

  constructor(random: Random, withMappings: boolean) {
    this.#random = random
    this.#composites = withMappings ? 5 : 2
    for (const make of [...ELEMENTARY, ...ELEMENTARY]) {
      const under = make(random)
      const name = `User${this.#words.length}`
      this.declarations.push(`type ${name} is ${under.name};`)
      this.#words.push(under, {
        name,
        names: [],
        literal: (of) => {
          const { code, text } = under.literal(of)
          return { code: `${name}.wrap(${code})`, text }
        },
      })
    }
    for (const size of [1, 2 + random.below(5), 200]) {
      const name = `Enum${size}`
      const names = Array.from({ length: size }, (_, i) => `e${i}`)
      this.declarations.push(`enum ${name} { ${names.join(', ')} }`)
      const literal = (of: Random) => {
        const text = of.of(names)
        return { code: `${name}.${text}`, text }
      }
      this.#words.push({ name, names, literal }, { name, names, literal })
    }
    this.#words.push(address('IThing', (code) => `IThing(${code})`))
    for (let i = 0; i < 2; i++) {
      const members = Array.from(
        { length: 2 + random.below(3) },
        (_, m) => [`m${m}`, this.kind(random.chance(25) ? 1 : 0)] as const,
      )
      const struct = { name: `Struct${i}`, members }
      this.declarations.push(
        `struct ${struct.name} { ${members.map(([name, kind]) => `${this.nameOf(kind)} ${name};`).join(' ')} }`,
      )
      this.structs.push(struct)
    }
  }

  word(): WordKind {
    return this.#random.of(this.#words)
  }

  /** @param depth - How many composite types may be around each other. */
  kind(depth: number): Kind {
    const random = this.#random
    if (depth === 0) return random.chance(12) ? { kind: random.of(['string', 'bytes']) } : this.#wordKind()
    switch (random.below(this.#composites)) {
      case 0:
        return random.chance(50)
          ? { kind: 'fixed', of: this.kind(depth - 1), length: 1 + random.below(3) }
          : { kind: 'list', of: this.kind(depth - 1) }
      case 2:
      case 3:
        return { kind: 'mapping', key: this.#keyKind(), of: this.kind(depth - 1) }
      default: {
        const struct = this.structs.at(random.below(this.structs.length))
        return struct ? { kind: 'struct', struct } : this.#wordKind()
      }
    }
  }

  #wordKind(): Kind {
    return { kind: 'word', word: this.word() }
  }

  #keyKind(): Kind {
    return this.#random.chance(20) ? { kind: this.#random.of(['string', 'bytes']) } : this.#wordKind()
  }

  nameOf(kind: Kind): string {
    switch (kind.kind) {
      case 'word':
        return kind.word.name
      case 'string':
      case 'bytes':
        return kind.kind
      case 'fixed':
        return `${this.nameOf(kind.of)}[${kind.length}]`
      case 'list':
        return `${this.nameOf(kind.of)}[]`
      case 'mapping':
        return `mapping(${this.nameOf(kind.key)} => ${this.nameOf(kind.of)})`
      case 'struct':
        return kind.struct.name
    }
  }
}

/** Collects what the functions of the contract do. */
class Body {
  readonly #random: Random
  readonly fill: string[] = []
  readonly change: string[] = []
  readonly getters: string[] = []
  readonly stored: Probe[] = []

  constructor(random: Random) {
    this.#random = random
  }

  probe(code: string, path: string, type: string, names: readonly string[]): Probe {
    const getter = `get${this.getters.length}`
    this.getters.push(`function ${getter}() external view returns (${type}) { return ${code}; }`)
    return { path, getter, names }
  }

  /** @param code - The variable in the source. @param path - As a debugger writes it. @param changes - Whether it stays there. */
  variable(kind: Kind, code: string, path: string, changes = true): void {
    const random = this.#random
    switch (kind.kind) {
      case 'word':
      case 'string':
      case 'bytes': {
        const literal = () => (kind.kind === 'word' ? kind.word.literal(random) : contentLiteral(random, kind.kind))
        if (random.chance(85)) this.fill.push(`${code} = ${literal().code};`)
        if (changes && random.chance(30)) this.change.push(`${code} = ${literal().code};`)
        const type = kind.kind === 'word' ? kind.word.name : `${kind.kind} memory`
        this.stored.push(this.probe(code, path, type, kind.kind === 'word' ? kind.word.names : []))
        return
      }
      case 'fixed':
        for (let i = 0; i < kind.length; i++) this.variable(kind.of, `${code}[${i}]`, `${path}[${i}]`, changes)
        return
      case 'list': {
        const length = random.of([0, 1, 2, 3])
        const pops = changes && length > 0 && random.chance(40)
        this.stored.push(this.probe(`${code}.length`, path, 'uint256', []))
        for (let i = 0; i < length; i++) {
          this.fill.push(`${code}.push();`)
          const stays = changes && !(pops && i === length - 1)
          this.variable(kind.of, `${code}[${i}]`, `${path}[${i}]`, stays)
        }
        if (pops) this.change.push(`${code}.pop();`)
        return
      }
      case 'mapping': {
        const keys = new Map<string, string>()
        for (let i = 1 + random.below(2); i > 0; i--) {
          const { key } = kind
          const made = key.kind === 'word' ? key.word.literal(random) : contentLiteral(random, key.kind as 'string')
          keys.set(made.text, made.code)
        }
        for (const [text, key] of keys) this.variable(kind.of, `${code}[${key}]`, `${path}[${text}]`, changes)
        return
      }
      case 'struct':
        for (const [name, member] of kind.struct.members)
          this.variable(member, `${code}.${name}`, `${path}.${name}`, changes)
        return
    }
  }
}

/** Functions may not be too long for the compiler. */
function functions(name: string, statements: readonly string[]): string {
  const parts: string[] = []
  for (let start = 0; start < statements.length; start += 10) {
    parts.push(`function ${name}${parts.length}() internal { ${statements.slice(start, start + 10).join(' ')} }`)
  }
  const calls = parts.map((_, i) => `${name}${i}();`).join(' ')
  return `${parts.join('\n  ')}\n  function ${name}() external { ${calls} }`
}

/**
 * A contract with random variables: the same for the same seed.
 *
 * @param withMappings - An optimizer computes the hashes of keys that stand in the source, so that nobody can see the keys.
 */
export function randomContract(seed: number, withMappings: boolean): RandomContract {
  const random = new Random(seed)
  const types = new Types(random, withMappings)
  const body = new Body(random)
  const variables: string[] = []
  const immutables: string[] = []
  const inConstructor: string[] = []
  const fixed: Probe[] = []
  const transient: { readonly probe: Probe; readonly name: string; readonly type: string; readonly code: string }[] = []
  for (let i = 0; i < 9; i++) {
    const kind = types.kind(random.of([0, 0, 0, 1, 1, 2]))
    variables.push(`${types.nameOf(kind)} internal v${i};`)
    body.variable(kind, `v${i}`, `v${i}`)
  }
  for (let i = 0; i < 5; i++) {
    const word = types.word()
    immutables.push(`${word.name} internal immutable i${i};`)
    inConstructor.push(`i${i} = ${word.literal(random).code};`)
    fixed.push(body.probe(`i${i}`, `i${i}`, word.name, word.names))
  }
  for (let i = 0; i < 5; i++) {
    const word = types.word()
    variables.push(`${word.name} internal constant C${i} = ${word.literal(random).code};`)
    fixed.push(body.probe(`C${i}`, `C${i}`, word.name, word.names))
  }
  for (let i = 0; i < 4; i++) {
    const word = types.word()
    variables.push(`${word.name} internal transient t${i};`)
    const probe = { path: `t${i}`, getter: 'pass', names: word.names }
    transient.push({ probe, name: `t${i}`, type: word.name, code: word.literal(random).code })
  }
  // The bases of a contract come before it, in transient storage as well.
  const cut = random.below(variables.length)
  const source = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;
${types.declarations.join('\n')}
abstract contract Base {
  ${variables.slice(0, cut).join('\n  ')}
}
contract Random is Base {
  ${[...immutables, ...variables.slice(cut)].join('\n  ')}
  constructor() { ${inConstructor.join(' ')} }
  ${functions('fill', body.fill)}
  ${functions('change', body.change)}
  function pass() external returns (${transient.map(({ type }) => type).join(', ')}) {
    ${transient.map(({ name, code }) => `${name} = ${code};`).join(' ')}
    return (${transient.map(({ name }) => name).join(', ')});
  }
  ${body.getters.join('\n  ')}
}
`
  return { source, stored: body.stored, fixed, transient: transient.map(({ probe }) => probe) }
}

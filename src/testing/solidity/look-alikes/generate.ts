// One file, although it is long: each kind of statement is written by calling the others.

/** A generated source, and calls of its contracts of which many fail. */
export interface LookAlikes {
  readonly text: string
  /** What to deploy, in this order; an argument `$Name` is the address of an earlier one. */
  readonly deployed: readonly { readonly name: string; readonly args: readonly string[] }[]
  readonly calls: readonly { readonly contract: string; readonly call: string; readonly args: readonly unknown[] }[]
}

const MAX = 2n ** 256n - 1n
/** Arguments of calls: near the bounds that the contracts compare with. */
const ARGUMENTS = [0n, 0n, 1n, 1n, 2n, 2n, 3n, 3n, 4n, 5n, 6n, 7n, 9n, 50n, 1_000n, 2n ** 255n, MAX]
const LITERALS = ['0', '1', '2', '3', '4', '5', '7', '9', '50']
const REASONS = ['"low"', '"high"', '"equal"', '"same"']
const ERRORS = ['Same(x)', 'Same(y)', 'Other(x)', 'Plain()', 'Same(1)']

/** A function that others may call. */
interface Helper {
  /** How it is called: `_f3`, `LibA.net`, `super._hook`. */
  readonly name: string
  readonly body: readonly string[]
}

/** A small deterministic generator of numbers (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

class Writer {
  readonly #random: () => number
  /** Functions that may be called at this point, so that nothing calls itself. */
  helpers: Helper[] = []
  /** Modifiers that may be used. */
  modifiers: string[] = []
  /** Whether there is a state, which libraries do not have, and another contract to call. */
  hasState = true
  hasCallee = false
  #locals = 0

  constructor(seed: number) {
    this.#random = randomOf(seed)
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  chance(share: number): boolean {
    return this.#random() < share
  }

  pick<Item>(items: readonly Item[]): Item {
    return items[this.below(items.length)] as Item
  }

  /** A value of type uint256. */
  value(depth = 2): string {
    const variable = () => this.variable()
    const simple = () => (this.chance(0.2) ? this.pick(LITERALS) : variable())
    if (depth === 0) return variable()
    const inner = () => this.value(depth - 1)
    const kinds: (() => string)[] = [
      variable,
      simple,
      () => this.#arithmetic(inner(), this.pick(['+', '-', '*', '-', '-']), simple()),
      () => `${variable()} ${this.pick(['/', '%'])} ${variable()}`,
      () => `(${this.condition(0)} ? ${inner()} : ${variable()})`,
      () => `uint256(Kind(${variable()}))`,
      () => this.call(depth - 1),
      () => this.call(depth - 1),
    ]
    if (this.hasState) {
      kinds.push(
        () => `list[${simple()}]`,
        () => `list[${simple()}]`,
        () => `other[${simple()}]`,
        () => `owned[${simple()}][${simple()}]`,
      )
    }
    return this.pick(kinds)()
  }

  /** The compiler refuses a constant below zero, so one operand is never a literal. */
  #arithmetic(left: string, operator: string, right: string): string {
    const isConstant = LITERALS.includes(left) && LITERALS.includes(right)
    return `${isConstant ? 'x' : left} ${operator} ${right}`
  }

  variable(): string {
    return this.pick(this.hasState ? ['x', 'y', 'x', 'y', 'a', 'b', 'sum'] : ['x', 'y'])
  }

  call(depth: number): string {
    const helper = this.helpers.length > 0 ? this.pick(this.helpers) : undefined
    return helper ? `${helper.name}(${this.value(depth)}, ${this.value(0)})` : 'x'
  }

  condition(depth = 1): string {
    const side = () => this.value(depth)
    const simple = () => `${side()} ${this.pick(['>', '<', '!=', '!=', '==', '>='])} ${this.pick(LITERALS)}`
    if (depth === 0 || this.chance(0.7)) return simple()
    return `${this.condition(0)} ${this.pick(['&&', '||'])} ${this.condition(0)}`
  }

  /** A statement that fails by itself. */
  failing(): string {
    return this.pick([
      () => `revert ${this.pick(ERRORS)};`,
      () => `revert ${this.pick(ERRORS)};`,
      () => `revert(${this.pick(REASONS)});`,
      () => 'revert();',
      () => 'assert(false);',
      () => `_fail(Plain.selector);`,
    ])()
  }

  /** A condition that mostly holds. */
  #usual(): string {
    return this.chance(0.7) ? `${this.value(this.below(2))} != ${this.pick(LITERALS)}` : this.condition()
  }

  /** A condition that seldom holds. */
  #unusual(): string {
    return this.chance(0.7) ? `${this.value(this.below(2))} == ${this.pick(LITERALS)}` : this.condition()
  }

  check(): string[] {
    return this.pick([
      () => [`require(${this.#usual()}, ${this.pick(REASONS)});`],
      () => [`require(${this.#usual()});`],
      () => [`require(${this.#usual()}, ${this.pick(ERRORS)});`],
      () => [`if (${this.#unusual()}) ${this.failing()}`],
      () => [`if (${this.#unusual()}) ${this.failing()}`],
      () => [`if (${this.#unusual()}) {`, `  ${this.failing()}`, '}'],
      () => [`assert(${this.#usual()});`],
    ])()
  }

  assignment(): string[] {
    const target = this.hasState ? this.pick(['sum', 'sum', 'a', 'b', 'r', 'x']) : this.pick(['r', 'x', 'y'])
    return [`${target} ${this.pick(['=', '=', '+=', '-='])} ${this.value()};`]
  }

  #block(statements: readonly string[]): string[] {
    return statements.map((line) => `  ${line}`)
  }

  statement(depth = 2): string[] {
    const some = () => this.#block(this.statements(1 + this.below(2), depth - 1))
    const kinds: (() => string[])[] = [
      () => this.assignment(),
      () => this.assignment(),
      () => this.check(),
      () => this.check(),
      () => [`${this.call(1)};`],
      () => [`${this.pick(['r', 'x'])} = ${this.call(1)};`],
    ]
    if (this.hasState) {
      kinds.push(
        () => ['list.pop();'],
        () => [`list.push(${this.value(0)});`],
        () => [`list[${this.value(0)}] = ${this.value(1)};`],
        () => [`small = uint8(${this.value(0)});`, 'small--;'],
      )
    }
    if (this.hasCallee) {
      const outside = () => `callee.${this.pick(CALLEE_FUNCTIONS)}(${this.value(0)}, ${this.value(0)})`
      kinds.push(
        () => [`sum = ${outside()};`],
        () => [`${outside()};`],
        () => [`try ${outside()} returns (uint256 got) {`, '  sum = got;', '} catch {', ...some(), '}'],
        () => [
          `try ${outside()} returns (uint256 got) {`,
          `  sum = got - ${this.value(0)};`,
          '} catch Error(string memory reason) {',
          '  revert(reason);',
          '} catch (bytes memory data) {',
          ...(this.chance(0.5) ? ['  assembly {', '    revert(add(data, 32), mload(data))', '  }'] : some()),
          '}',
        ],
      )
    }
    if (depth > 0) {
      kinds.push(
        () => [`if (${this.condition()}) {`, ...some(), '}'],
        () => [`if (${this.condition()}) {`, ...some(), '} else {', ...some(), '}'],
        () => {
          const same = some()
          return [`if (${this.condition()}) {`, ...same, '} else {', ...this.near(same), '}']
        },
        () => [`if (${this.condition()}) return ${this.value()};`],
        () => this.#loop(depth),
        () => this.#loop(depth),
        () => ['unchecked {', ...this.#block(this.assignment()), '}'],
        () => {
          const same = this.statement(0)
          return [...same, ...this.assignment(), ...this.near(same)]
        },
      )
    }
    return this.pick(kinds)()
  }

  #loop(depth: number): string[] {
    const inside = this.#block(this.statements(1, depth - 1))
    const counter = `i${this.#locals++}`
    const kinds: (() => string[])[] = [
      () => [
        `for (uint256 ${counter} = 0; ${counter} < ${this.pick(['3', 'x % 5', 'y % 4'])}; ${counter}++) {`,
        ...inside,
        '}',
      ],
      () => [`while (x < ${this.pick(LITERALS)}) {`, ...inside, '  x++;', '}'],
      () => ['do {', ...inside, '  x++;', '} while (x < 5);'],
    ]
    if (this.hasState) {
      kinds.push(
        () => [`while (list.length > ${this.pick(['0', '1', 'x'])}) {`, ...inside, '  list.pop();', '}'],
        () => [
          `while (list.length > 0) {`,
          `  require(list[list.length - 1] != ${this.pick(['1', '2', 'x'])}, "item");`,
          '  list.pop();',
          '}',
        ],
      )
    }
    return this.pick(kinds)()
  }

  statements(count: number, depth = 2): string[] {
    return Array.from({ length: count }, () => this.statement(depth)).flat()
  }

  /** Lines that are the same, or nearly. */
  near(lines: readonly string[]): string[] {
    if (this.chance(0.5)) return [...lines]
    const [from, to] = this.pick([
      ['x', 'y'],
      [this.pick(LITERALS), this.pick(LITERALS)],
      ['list', 'other'],
      ['a', 'b'],
    ] as const)
    const word = new RegExp(`(?<![\\w.])${from}(?![\\w.])`)
    return lines.map((line) => (/^\s*(?:for|try)\b/.test(line) ? line : line.replace(word, to)))
  }

  body(): string[] {
    if (this.chance(0.3)) return [`return ${this.value()};`]
    const lines = this.chance(0.25) ? this.#loop(1) : []
    lines.push(...this.statements(1 + this.below(3), this.below(3)))
    if (this.chance(0.8)) lines.push(`return ${this.value()};`)
    return lines
  }
}

const CALLEE_FUNCTIONS = ['first', 'second', 'third', 'fourth']

function functionText(head: string, body: readonly string[]): string[] {
  return [`  ${head} {`, ...body.map((line) => `    ${line}`), '  }']
}

const STATE = [
  '  uint256 internal a = 4;',
  '  uint256 internal b = 7;',
  '  uint256 internal sum;',
  '  uint8 internal small;',
  '  uint256[] internal list = [1, 2, 3];',
  '  uint256[] internal other = [1, 2, 3, 4, 5, 6];',
  '  mapping(uint256 => uint256[]) internal owned;',
]

const FAIL = ['  assembly {', '    mstore(0x00, selector)', '    revert(0x00, 0x04)', '  }']

/** A body that is new or like one of the earlier ones. */
function bodyLike(writer: Writer, earlier: readonly Helper[]): string[] {
  const whole = earlier.filter(({ body }) => body.length > 0)
  if (whole.length > 0 && writer.chance(0.3)) return writer.near(writer.pick(whole).body)
  return writer.body()
}

/**
 * Writes contracts that invite an optimizer to merge and to inline: functions that look alike, equal errors, loops where
 * functions begin, overridden hooks with `super`, modifiers, libraries, caught calls. All depends on the seed only.
 */
export function lookAlikes(seed: number): LookAlikes {
  const writer = new Writer(seed)
  const lines = [
    '// SPDX-License-Identifier: MIT',
    'pragma solidity ^0.8.26;',
    'error Same(uint256 x);',
    'error Other(uint256 x);',
    'error Plain();',
    'enum Kind { none, some, many }',
    'function _fail(bytes4 selector) pure {',
    ...FAIL,
    '}',
  ]
  const bodies: Helper[] = []
  const helpers: Helper[] = []

  // Libraries know no state; two of them have functions of the same names.
  writer.hasState = false
  for (const library of ['LibA', 'LibB']) {
    lines.push(`library ${library} {`)
    for (const name of ['net', 'rest']) {
      const body = bodyLike(writer, bodies)
      bodies.push({ name: `${library}.${name}`, body })
      lines.push(...functionText(`function ${name}(uint256 x, uint256 y) internal pure returns (uint256 r)`, body))
      helpers.push({ name: `${library}.${name}`, body })
    }
    lines.push('}')
  }
  writer.hasState = true

  const contract = (name: string, write: () => void, bases = '', isAbstract = false) => {
    lines.push(`${isAbstract ? 'abstract ' : ''}contract ${name}${bases} {`)
    write()
    lines.push('}')
  }
  const define = (name: string, visibility: string, body: readonly string[]) => {
    const used = writer.modifiers.length > 0 && writer.chance(0.25) ? ` ${writer.pick(writer.modifiers)}` : ''
    lines.push(...functionText(`function ${name}(uint256 x, uint256 y) ${visibility}${used} returns (uint256 r)`, body))
  }

  writer.helpers = [...helpers]
  contract('Callee', () => {
    lines.push(...STATE)
    for (const name of CALLEE_FUNCTIONS) {
      const body = bodyLike(writer, bodies)
      bodies.push({ name, body })
      define(name, 'public', body)
    }
  })

  const own: Helper[] = []
  const hooks = ['_before', '_after']
  const withState = bodies.filter(({ name }) => !name.startsWith('Lib'))
  contract(
    'Root',
    () => {
      lines.push(...STATE, '  Callee internal callee;', '  constructor(Callee callee_) { callee = callee_; }')
      lines.push(
        '  modifier below(uint256 limit) {',
        '    require(sum < limit, "low");',
        '    _;',
        '    if (sum == 3) revert Plain();',
        '  }',
        '  modifier calm() {',
        `    ${writer.check().join(' ').replaceAll(/\bx\b/g, 'a').replaceAll(/\by\b/g, 'b')}`,
        '    _;',
        '  }',
      )
      writer.modifiers = ['below(x)', 'calm', 'below(9) calm', 'below(y)']
      writer.hasCallee = true
      for (let i = 0; i < 3; i++) {
        const body = bodyLike(writer, withState)
        const name = `_root${i}`
        define(name, writer.pick(['internal', 'internal', 'public']), body)
        own.push({ name, body })
        writer.helpers.push({ name, body })
      }
      for (const name of hooks) {
        const body = bodyLike(writer, own)
        lines.push(...functionText(`function ${name}(uint256 x, uint256 y) internal virtual returns (uint256 r)`, body))
        own.push({ name, body })
      }
    },
    '',
    true,
  )
  const override = (hook: string, body: readonly string[]) =>
    lines.push(
      ...functionText(`function ${hook}(uint256 x, uint256 y) internal virtual override returns (uint256 r)`, body),
    )
  const around = () => {
    const call = `super.$(${writer.value(0)}, ${writer.value(0)})`
    return writer.pick([
      () => [`return ${call} + 1;`],
      () => [...writer.check(), `return ${call};`],
      () => [`require(${call} > ${writer.pick(LITERALS)});`, 'return y;'],
      () => [`if (${call} < 2) revert Same(x);`, 'return x;'],
      () => [`r = ${call};`, ...writer.check()],
    ])()
  }
  contract(
    'Left',
    () => {
      for (const hook of hooks)
        if (writer.chance(0.7))
          override(
            hook,
            around().map((line) => line.replaceAll('$', () => hook)),
          )
    },
    ' is Root',
    true,
  )
  const calls: { contract: string; call: string; args: bigint[] }[] = []
  const call = (of: string, name: string, count: number) => {
    for (let i = 0; i < count; i++) {
      calls.push({ contract: of, call: name, args: [writer.pick(ARGUMENTS), writer.pick(ARGUMENTS)] })
    }
  }
  contract(
    'Top',
    () => {
      lines.push('  constructor(Callee callee_) Root(callee_) {}')
      for (const hook of hooks)
        if (writer.chance(0.6))
          override(
            hook,
            around().map((line) => line.replaceAll('$', () => hook)),
          )
      for (const hook of hooks) writer.helpers.push({ name: hook, body: [] })
      for (let i = 0; i < 4; i++) {
        const body = bodyLike(writer, own)
        const name = `_own${i}`
        define(name, writer.pick(['internal', 'private']), body)
        own.push({ name, body })
        writer.helpers.push({ name, body })
      }
      for (let i = 0; i < 12; i++) {
        const body = bodyLike(writer, own)
        const name = `top${i}`
        define(name, writer.pick(['external', 'external', 'public']), body)
        own.push({ name, body })
        call('Top', name, 12)
      }
    },
    ' is Left',
  )
  for (const name of CALLEE_FUNCTIONS) call('Callee', name, 5)
  return {
    text: `${lines.join('\n')}\n`,
    deployed: [
      { name: 'Callee', args: [] },
      { name: 'Top', args: ['$Callee'] },
    ],
    calls,
  }
}

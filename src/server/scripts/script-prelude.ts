/**
 * What a tracer in JavaScript finds in its sandbox, as in geth: `toHex` and its like, `bigInt`, and the objects that its
 * functions are given. It takes what it shows from functions named `host…`, which the script does not see.
 *
 * @see {@link https://geth.ethereum.org/docs/developers/evm-tracing/javascript-tutorial | Geth's tutorial}
 */
export const SCRIPT_PRELUDE = String.raw`
(function () {
  'use strict'
  const global = globalThis
  const host = {}
  for (const name of ['Get', 'Bytes', 'Peek', 'Memory', 'Word', 'State', 'Created', 'Created2', 'IsPrecompiled']) {
    host[name] = global['host' + name]
    delete global['host' + name]
  }
  const view = (buffer) => new Uint8Array(buffer)
  const HEX = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'))

  function fromHex(text) {
    let digits = /^0x/i.test(text) ? text.slice(2) : text
    if (digits.length % 2 === 1) digits = '0' + digits
    const bytes = new Uint8Array(digits.length / 2)
    for (let i = 0; i < bytes.length; i++) {
      const pair = digits.slice(2 * i, 2 * i + 2)
      // As in Go, nothing comes of what is no hex.
      if (!/^[0-9a-f]{2}$/i.test(pair)) return bytes.slice(0, i)
      bytes[i] = parseInt(pair, 16)
    }
    return bytes
  }
  function bytesOf(value, allowsText) {
    if (value instanceof Uint8Array) return value
    if (Array.isArray(value)) return Uint8Array.from(value)
    if (allowsText && (typeof value === 'string' || value instanceof String)) return fromHex(String(value))
    throw new Error('invalid buffer type')
  }
  function toHex(value) {
    let text = '0x'
    for (const byte of bytesOf(value, false)) text += HEX[byte]
    return text
  }
  function sized(value, size) {
    const bytes = bytesOf(value, true)
    const sizedBytes = new Uint8Array(size)
    const part = bytes.length > size ? bytes.slice(bytes.length - size) : bytes
    sizedBytes.set(part, size - part.length)
    return sizedBytes
  }
  const toAddress = (value) => sized(value, 20)
  const toWord = (value) => sized(value, 32)
  const addressText = (value) => toHex(sized(bytesOf(value, false), 20))

  class Big {
    #value
    #hex
    /** Most words of a stack are only written down again: then they are not parsed. */
    constructor(value, hex) {
      this.#value = value
      this.#hex = hex
    }
    get value() {
      return (this.#value ??= BigInt(this.#hex))
    }
    toString(radix) {
      if (this.#hex !== undefined) {
        if (radix === 16) return this.#hex.slice(2)
        if (this.#hex.length <= 14) return Number(this.#hex).toString(radix)
      }
      return this.value.toString(radix)
    }
    toJSON() {
      return this.value.toString()
    }
    valueOf() {
      return Number(this.value)
    }
    toJSNumber() {
      return Number(this.value)
    }
    divmod(other) {
      const divisor = valueOf(other)
      return { quotient: new Big(this.value / divisor), remainder: new Big(this.value % divisor) }
    }
    modPow(exponent, modulus) {
      const m = valueOf(modulus)
      let [base, left, result] = [this.value % m, valueOf(exponent), 1n]
      for (; left > 0n; left >>= 1n) {
        if (left & 1n) result = (result * base) % m
        base = (base * base) % m
      }
      return new Big(result)
    }
    bitLength() {
      return new Big(BigInt(this.value === 0n ? 0 : this.value.toString(2).length))
    }
  }
  const valueOf = (value) => bigInt(value).value
  function bigInt(value, radix) {
    if (value instanceof Big) return value
    if (value === undefined) return new Big(0n)
    if (typeof value === 'string' && radix !== undefined && Number(radix) !== 10) {
      let sum = 0n
      const isNegative = value.startsWith('-')
      for (const digit of isNegative ? value.slice(1) : value) {
        const number = parseInt(digit, Number(radix))
        if (Number.isNaN(number)) throw new Error(digit + ' is not a valid character')
        sum = sum * BigInt(radix) + BigInt(number)
      }
      return new Big(isNegative ? -sum : sum)
    }
    return new Big(BigInt(value))
  }
  const define = (names, method) => {
    for (const name of names.split(' ')) {
      Object.defineProperty(Big.prototype, name, { value: method, writable: true, configurable: true })
    }
  }
  const binary = (names, work) => {
    define(names, function (other) {
      return new Big(work(this.value, valueOf(other)))
    })
  }
  const unary = (names, work) => {
    define(names, function () {
      return new Big(work(this.value))
    })
  }
  const test = (names, work) => {
    define(names, function (other) {
      return work(this.value, other === undefined ? 0n : valueOf(other))
    })
  }
  const abs = (a) => (a < 0n ? -a : a)
  const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0)
  binary('add plus', (a, b) => a + b)
  binary('subtract minus', (a, b) => a - b)
  binary('multiply times', (a, b) => a * b)
  binary('divide over', (a, b) => a / b)
  binary('mod remainder', (a, b) => a % b)
  binary('pow', (a, b) => a ** b)
  binary('and', (a, b) => a & b)
  binary('or', (a, b) => a | b)
  binary('xor', (a, b) => a ^ b)
  binary('shiftLeft', (a, b) => a << b)
  binary('shiftRight', (a, b) => a >> b)
  unary('abs', abs)
  unary('negate', (a) => -a)
  unary('not', (a) => ~a)
  unary('next', (a) => a + 1n)
  unary('prev', (a) => a - 1n)
  unary('square', (a) => a * a)
  test('compare compareTo', compare)
  test('compareAbs', (a, b) => compare(abs(a), abs(b)))
  test('equals eq', (a, b) => a === b)
  test('notEquals neq', (a, b) => a !== b)
  test('greater gt', (a, b) => a > b)
  test('lesser lt', (a, b) => a < b)
  test('greaterOrEquals geq', (a, b) => a >= b)
  test('lesserOrEquals leq', (a, b) => a <= b)
  test('isZero', (a) => a === 0n)
  test('isUnit', (a) => abs(a) === 1n)
  test('isNegative', (a) => a < 0n)
  test('isPositive', (a) => a > 0n)
  test('isEven', (a) => a % 2n === 0n)
  test('isOdd', (a) => a % 2n !== 0n)
  test('isDivisibleBy', (a, b) => b !== 0n && a % b === 0n)
  bigInt.zero = new Big(0n)
  bigInt.one = new Big(1n)
  bigInt.minusOne = new Big(-1n)
  bigInt.isInstance = (value) => value instanceof Big
  bigInt.max = (a, b) => (valueOf(a) >= valueOf(b) ? bigInt(a) : bigInt(b))
  bigInt.min = (a, b) => (valueOf(a) <= valueOf(b) ? bigInt(a) : bigInt(b))

  Object.assign(global, {
    bigInt,
    toHex,
    toAddress,
    toWord,
    toContract: (from, nonce) => view(host.Created(toHex(toAddress(from)), Number(nonce))),
    toContract2: (from, salt, initcode) =>
      view(host.Created2(toHex(toAddress(from)), toHex(toWord(salt)), toHex(bytesOf(initcode, true)))),
    isPrecompiled: (address) => host.IsPrecompiled(toHex(toAddress(address))),
    slice(value, start, end) {
      const bytes = bytesOf(value, false)
      if (start < 0 || start > end || end > bytes.length) {
        const what = 'available ' + bytes.length + ', offset ' + start + ', size ' + (end - start)
        throw new Error('Tracer accessed out of bound memory: ' + what)
      }
      return bytes.slice(start, end)
    },
  })

  // A step is one text, since each call of the node takes longer than reading it.
  let text = ''
  let parts
  const part = (index) => (parts ??= text.split(' '))[index]
  const number = (index) => () => Number(part(index))
  const get = (what) => () => host.Get(what)
  const getBytes = (what) => () => view(host.Bytes(what))
  const getBig = (what) => () => {
    const text = host.Get(what)
    return text === undefined ? undefined : new Big(BigInt(text))
  }
  const names = {}
  const log = {
    getPC: number(0),
    getGas: number(1),
    getCost: number(2),
    getDepth: number(3),
    getRefund: number(4),
    getError: get('error'),
    op: {
      toNumber: number(5),
      toString: () => names[part(5)] ?? (names[part(5)] = host.Get('op')),
      isPush() {
        const opcode = Number(part(5))
        return opcode >= 0x5f && opcode <= 0x7f
      },
    },
    stack: {
      peek(index) {
        const word = index >= 0 ? part(8 + index) : undefined
        return new Big(undefined, word === undefined ? host.Peek(Number(index)) : word)
      },
      length: number(6),
    },
    memory: {
      slice: (begin, end) => view(host.Memory(Number(begin), Number(end))),
      getUint: (at) => new Big(BigInt(host.Word(Number(at)))),
      length: number(7),
    },
    contract: {
      getCaller: getBytes('caller'),
      getAddress: getBytes('address'),
      getValue: getBig('value'),
      getInput: getBytes('input'),
    },
  }
  const db = {
    getBalance: (address) => new Big(BigInt(host.State('balance', addressText(address)))),
    getNonce: (address) => host.State('nonce', addressText(address)),
    getCode: (address) => view(host.State('code', addressText(address))),
    getState: (address, slot) => view(host.State('slot', addressText(address), toHex(sized(bytesOf(slot, false), 32)))),
    exists: (address) => host.State('exists', addressText(address)),
  }
  const frame = {
    getType: get('frameType'),
    getFrom: getBytes('frameFrom'),
    getTo: getBytes('frameTo'),
    getInput: getBytes('frameInput'),
    getGas: get('frameGas'),
    getValue: getBig('frameValue'),
  }
  const outcome = { getGasUsed: get('frameGasUsed'), getOutput: getBytes('frameOutput'), getError: get('frameError') }
  const bytesIn = ['from', 'to', 'input', 'output', 'coinbase', 'blockHash', 'txHash']

  /** Takes the tracer; answers which of its functions it has. */
  global.hostBegin = (config) => {
    const tracer = global.hostTracer
    delete global.hostTracer
    const has = (name) => typeof Object(tracer)[name] === 'function'
    if (!has('result')) throw new Error('trace object must expose a function result()')
    if (!has('fault')) throw new Error('trace object must expose a function fault()')
    if (has('enter') !== has('exit')) throw new Error('trace object must expose either both or none of enter() and exit()')
    if (has('setup')) tracer.setup(config)
    const step = (name) => (now) => {
      text = now
      parts = undefined
      tracer[name](log, db)
    }
    global.hostStep = step('step')
    global.hostFault = step('fault')
    global.hostEnter = () => void tracer.enter(frame)
    global.hostExit = () => void tracer.exit(outcome)
    global.hostEnd = (text) => {
      const context = JSON.parse(text)
      for (const name of bytesIn) if (context[name] !== undefined) context[name] = fromHex(context[name])
      for (const name of ['value', 'gasPrice']) context[name] = new Big(BigInt(context[name]))
      const result = tracer.result(context, db)
      return JSON.stringify(result === undefined ? null : result)
    }
    return JSON.stringify({ step: has('step'), frames: has('enter') })
  }
})()
`

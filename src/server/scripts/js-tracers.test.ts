import { expect, test } from 'vitest'
import { create2Address, createdAddress } from '#node/evm/contract-address.ts'
import { hexToBytes, toWord } from '#primitives/hex.ts'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import { serverOfEachTest } from '#testing/server/test-server.ts'

const server = serverOfEachTest()
const { start, rpc } = server

const [FROM, TO] = DEV_KEYS.map(({ address }) => address.toLowerCase()) as [string, string]
const A = `0x${'a1'.repeat(20)}`
const B = `0x${'b2'.repeat(20)}`
const push20 = (address: string) => `73${address.slice(2)}`
/** Slot 1 = 7, SLOAD of it, CALL of B with 3 wei, four bytes and 5,000 gas, STOP. */
const CODE_A = `0x600760015560015450637261636b5f525f5f6004601c6003${push20(B)}611388f15000`
/** MSTORE of 9, then a revert with its last two bytes. */
const CODE_B = '0x60095f526002601efd'

const begin = () => start('--clock', 'manual', '--js-tracers')
/** The answer of a tracer to a call of contract A. */
const trace = (tracer: string, config: object = {}, request: object = {}) =>
  rpc('debug_traceCall', { from: FROM, to: A, gas: '0x100000', ...request }, 'latest', {
    tracer,
    stateOverrides: { [A]: { code: CODE_A, balance: '0x64' }, [B]: { code: CODE_B } },
    ...config,
  })
const evaluate = (expression: string) => trace(`{ fault() {}, result(ctx, db) { return ${expression} } }`)
const refusal = (work: Promise<unknown>) =>
  work.then(
    (result) => `answered ${JSON.stringify(result)}`,
    (error: unknown) => (error as Error).message,
  )

test('a script is refused unless the server runs them, and a name is no script', async () => {
  await start('--clock', 'manual')
  expect(await refusal(trace('{ fault() {}, result() {} }'))).toBe(
    'JavaScript tracers are not supported, unless the server is started with --js-tracers',
  )
  await begin()
  expect(await refusal(trace('nameTracer'))).toBe('ReferenceError: nameTracer is not defined at <eval>:1:2(0)')
})

test('a script is told each step, what it finds there, and each frame within', async () => {
  await begin()
  const told = (await trace(`{
    all: [],
    step(log, db) {
      const top = log.stack.length() > 0 ? log.stack.peek(0).toString(16) : '-'
      this.all.push([log.getDepth(), log.getPC(), log.op.toString(), log.op.toNumber(), log.op.isPush(), top].join(' '))
      if (log.op.toString() === 'SLOAD') this.read = toHex(db.getState(log.contract.getAddress(), toWord('1')))
      if (log.op.toString() === 'CALL') this.sent = toHex(log.memory.slice(28, 32))
      if (log.op.toString() === 'REVERT') {
        const { contract, memory } = log
        this.inB = [toHex(contract.getCaller()), toHex(contract.getAddress()), contract.getValue(), toHex(contract.getInput())]
        this.memory = [memory.length(), memory.getUint(0), toHex(memory.slice(30, 34))]
        this.balances = [db.getBalance(toAddress('${A}')), db.getBalance(toAddress('${B}'))]
      }
    },
    fault(log) { this.all.push('fault ' + log.op.toString() + ' ' + log.getError()) },
    enter(frame) { this.all.push(['enter', frame.getType(), toHex(frame.getFrom()), toHex(frame.getTo()), toHex(frame.getInput()), frame.getGas(), frame.getValue()].join(' ')) },
    exit(result) { this.all.push(['exit', toHex(result.getOutput()), result.getGasUsed(), result.getError()].join(' ')) },
    result() { return { all: this.all, read: this.read, sent: this.sent, inB: this.inB, memory: this.memory, balances: this.balances } },
  }`)) as Record<string, unknown>
  const all = told['all'] as string[]
  expect(all.slice(0, 5)).toEqual([
    '1 0 PUSH1 96 true -',
    '1 2 PUSH1 96 true 7',
    '1 4 SSTORE 85 false 1',
    '1 5 PUSH1 96 true -',
    '1 7 SLOAD 84 false 1',
  ])
  expect(all.slice(all.findIndex((line) => line.startsWith('enter')))).toEqual([
    // With the stipend of a call that sends something.
    `enter CALL ${A} ${B} 0x7261636b 7300 3`,
    '2 0 PUSH1 96 true -',
    '2 2 PUSH0 95 true 9',
    '2 3 MSTORE 82 false 0',
    '2 4 PUSH1 96 true -',
    '2 6 PUSH1 96 true 2',
    '2 8 REVERT 253 false 1e',
    'fault REVERT execution reverted',
    'exit 0x0009 17 execution reverted',
    '1 49 POP 80 false 0',
    '1 50 STOP 0 false -',
  ])
  // The state and the memory are those of the moment.
  expect(told).toMatchObject({
    read: toWord(7),
    sent: '0x7261636b',
    inB: [A, B, '3', '0x7261636b'],
    memory: [32, '9', '0x00090000'],
    balances: ['97', '3'],
  })
})

test('a step that cannot begin has its error, and one that fails on its way is a fault', async () => {
  await begin()
  const steps = (code: string) =>
    rpc('debug_traceCall', { from: FROM, to: A, gas: '0x10000' }, 'latest', {
      tracer: `{
        all: [],
        step(log) { this.all.push(log.op.toString() + ' ' + log.getError()) },
        fault(log) { this.all.push('fault ' + log.op.toString() + ' ' + log.getError()) },
        result(ctx) { return { all: this.all, error: ctx.error } },
      }`,
      stateOverrides: { [A]: { code } },
    })
  expect(await steps('0x5f01')).toEqual({
    all: ['PUSH0 undefined', 'ADD stack underflow (1 <=> 2)'],
    error: 'stack underflow (1 <=> 2)',
  })
  expect(await steps('0x5f56')).toEqual({
    all: ['PUSH0 undefined', 'JUMP undefined', 'fault JUMP invalid jump destination'],
    error: 'invalid jump destination',
  })
})

test('at the end a script is told of the transaction', async () => {
  await begin()
  const context = `{
    fault() {},
    result(ctx) {
      const hex = (bytes) => (bytes instanceof Uint8Array ? toHex(bytes) : typeof bytes)
      return { ...ctx, from: hex(ctx.from), to: hex(ctx.to), input: hex(ctx.input), output: hex(ctx.output), coinbase: hex(ctx.coinbase), blockHash: hex(ctx.blockHash), txHash: hex(ctx.txHash) }
    },
  }`
  expect(await trace(context, {}, { data: '0x1234', value: '0x2' })).toEqual({
    type: 'CALL',
    from: FROM,
    to: A,
    input: '0x1234',
    value: '2',
    gas: 0x100000,
    gasUsed: expect.any(Number) as number,
    gasPrice: '0',
    block: 0,
    coinbase: '0x4200000000000000000000000000000000000011',
    output: '0x',
    blockHash: 'undefined',
    txHash: 'undefined',
  })
  await rpc('eth_sendTransaction', { from: FROM, to: TO, value: '0x1' })
  const hash = await rpc('eth_sendTransaction', { from: FROM, to: TO, value: '0x5' })
  await rpc('evm_mine')
  const { hash: blockHash } = (await rpc('eth_getBlockByNumber', 'latest', false)) as { hash: string }
  const told = await rpc('debug_traceTransaction', hash, { tracer: context })
  expect(told).toMatchObject({ to: TO, value: '5', block: 1, gasUsed: 21_000, blockHash, txHash: hash, txIndex: 1 })
  const traces = (await rpc('debug_traceBlockByNumber', 'latest', { tracer: context })) as { result: unknown }[]
  expect(traces.map(({ result }) => result)).toEqual([expect.objectContaining({ value: '1', txIndex: 0 }), told])
})

test('a script that counts steps finds as many as the struct logger, and setup takes its config', async () => {
  await begin()
  const tracer =
    '{ n: 0, setup(text) { this.by = JSON.parse(text).by }, step() { this.n += this.by }, fault() {}, result() { return this.n } }'
  const { structLogs } = (await trace('')) as { structLogs: unknown[] }
  expect(await trace(tracer, { tracerConfig: { by: 2 } })).toBe(2 * structLogs.length)
})

test('a script has the functions that geth gives it', async () => {
  await begin()
  const address = '0x00000000000000000000000000000000000000ff'
  const code = '0x6001'
  expect(
    await evaluate(`({
      hex: toHex([1, 255]),
      words: [toHex(toWord('0x123')), toHex(toAddress('ff')), toHex(toWord('${FROM}ffff')).length],
      created: toHex(toContract('${FROM}', 5)),
      created2: toHex(toContract2('${FROM}', '0x7', '${code}')),
      precompiled: [isPrecompiled(toAddress('4')), isPrecompiled(toAddress('${FROM}'))],
      slice: toHex(slice(toWord('0x0102'), 30, 32)),
      db: [db.getBalance(toAddress('${A}')), db.getNonce(toAddress('${FROM}')), db.getCode(toAddress('${B}')).length, db.exists(toAddress('${address}'))],
    })`),
  ).toEqual({
    hex: '0x01ff',
    words: [toWord(0x123), address, 66],
    created: createdAddress(FROM as `0x${string}`, 5n),
    created2: create2Address(FROM as `0x${string}`, hexToBytes(toWord(7)), hexToBytes(code)),
    precompiled: [true, false],
    slice: '0x0102',
    db: ['100', 1, 9, false],
  })
})

test('numbers are those of the library that geth gives scripts', async () => {
  await begin()
  expect(
    await evaluate(`({
      text: [bigInt('123').toString(), bigInt(255).toString(16), bigInt('ff', 16).toJSNumber(), bigInt('-1f', 16).toString()],
      sums: [bigInt(7).add(5).toString(), bigInt(7).minus('9').toString(), bigInt(7).times(bigInt(6)).valueOf(), bigInt(7).divide(2).toString(), bigInt(7).mod(4).toString(), bigInt(2).pow(200).toString(16).length],
      bits: [bigInt(6).and(3).toString(), bigInt(6).or(1).toString(), bigInt(6).xor(3).toString(), bigInt(1).shiftLeft(9).toString(), bigInt(1024).shiftRight(3).toString(), bigInt(5).not().toString()],
      tests: [bigInt(3).equals(3), bigInt(3).lt(4), bigInt(3).geq(4), bigInt(0).isZero(), bigInt(3).compare(5), bigInt(-3).isNegative(), bigInt(4).isEven()],
      others: [bigInt.zero.toString(), bigInt.max(3, 9).toString(), bigInt(17).divmod(5).remainder.toString(), bigInt(3).modPow(4, 5).toString(), bigInt(-4).abs().next().toString()],
    })`),
  ).toEqual({
    text: ['123', 'ff', 255, '-31'],
    sums: ['12', '-2', 42, '3', '3', 51],
    bits: ['2', '7', '5', '512', '128', '-6'],
    tests: [true, true, false, true, -1, true, true],
    others: ['0', '9', '2', '1', '5'],
  })
})

test.each([
  ['{ fault() {} }', 'trace object must expose a function result()'],
  ['{ result() {} }', 'trace object must expose a function fault()'],
  ['{ result() {}, fault() {}, enter() {} }', 'trace object must expose either both or none of enter() and exit()'],
  ['null && 1', 'trace object must expose a function result()'],
  ['{ result() {', /^SyntaxError: /],
  [
    '{ step() { nowhere }, result() {}, fault() {} }',
    /^ReferenceError: '?nowhere'? is not defined {4}in server-side tracer function 'step'$/,
  ],
  [
    '{ step(l) { l.stack.peek(9) }, result() {}, fault() {} }',
    "tracer accessed out of bound stack: size 0, index 9    in server-side tracer function 'step'",
  ],
  [
    '{ step(l) { l.memory.slice(2, 1) }, result() {}, fault() {} }',
    "tracer accessed out of bound memory: offset 2, end 1    in server-side tracer function 'step'",
  ],
  [
    '{ step(l) { l.memory.getUint(0) }, result() {}, fault() {} }',
    "tracer accessed out of bound memory: available 0, offset 0, size 32    in server-side tracer function 'step'",
  ],
  [
    '{ enter() { throw "a text" }, exit() {}, result() {}, fault() {} }',
    "a text    in server-side tracer function 'enter'",
  ],
  ['{ result() { toHex("text") }, fault() {} }', "invalid buffer type    in server-side tracer function 'result'"],
])('the tracer %s is refused in words', async (tracer, message) => {
  await begin()
  expect(await refusal(trace(tracer))).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
})

test('a script reaches nothing of the process, and leaves nothing for the next one', async () => {
  await begin()
  const reach = `['process', 'require', 'fetch', 'module', 'Buffer', 'WebAssembly', 'setTimeout', 'console', 'hostGet', 'hostState', 'std', 'os', 'left'].filter((name) => typeof globalThis[name] !== 'undefined')`
  expect(await evaluate(`(globalThis.left = 1, Object.prototype.left = 1, ${reach})`)).toEqual(['left'])
  expect(await evaluate(reach)).toEqual([])
  expect(await evaluate('toHex.constructor("return typeof process")()')).toBe('undefined')
  expect(({} as { left?: number }).left).toBeUndefined()
})

test.each([
  ['loops', 'for (;;);', /^execution timeout/],
  ['recurses', '(function f() { f() })()', /stack overflow/],
  ['backtracks', '/^(a+)+$/.test("a".repeat(40) + "!")', /./],
  ['asks for too much memory', 'new Uint8Array(1e9)', /out of memory/],
  ['fills its memory with text', 'let text = "ab"; for (;;) text += text', /out of memory|string too long/],
])('a script that %s is ended, and the node goes on', async (_, work, message) => {
  await begin()
  for (const tracer of [
    `{ step() { ${work} }, fault() {}, result() {} }`,
    `{ fault() {}, result() { ${work} } }`,
    `{ fault() {}, result() {}, setup() { ${work} } }`,
  ]) {
    expect(await refusal(trace(tracer))).toMatch(message)
  }
  expect(await rpc('eth_blockNumber')).toBe('0x0')
  expect(server.logged).toEqual([])
})

import { expect, test } from 'vitest'
import { toWord } from '#primitives/hex.ts'
import { build, consoleLogs, executionTrace, stackTrace, stepWindow } from './execution-shapes.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const FRAME = {
  ...{ type: 'CALL', parent: null, depth: 0, from: ADDRESS, to: ADDRESS, codeAddress: ADDRESS, code: toWord(1) },
  ...{ value: '0x0', gas: '0x5', gasUsed: '0x5', input: '0x', output: '0x', error: null, firstStep: 0, endStep: 2 },
}
const INNER = { ...FRAME, type: 'STATICCALL', parent: 0, depth: 1, code: null, value: null, firstStep: 1, endStep: 1 }
const TRACE = {
  ...{ steps: 2, pcs: `0x${'00000001'.repeat(2)}`, gas: `0x${'00000009'.repeat(2)}`, frames: [FRAME, INNER] },
  ...{ codes: { [toWord(1)]: '0x6001' }, gasLimit: '0x9', intrinsicGas: '0x1', refund: '0x0', floorGas: '0x0' },
  gasUsed: '0x6',
}
const STEP = {
  ...{ pc: 0, op: 'PUSH1', gas: '0x5', gasCost: '0x3', depth: 0, frame: 0, stack: ['0x1'], memory: '0x' },
  ...{ returnData: '0x', storage: { key: toWord(1), value: toWord(2) }, refund: '0x0' },
}

test('valid executions and steps pass', () => {
  expect(executionTrace(TRACE, '')).toBeUndefined()
  expect(
    stepWindow({ first: 3, steps: [STEP, { ...STEP, memory: undefined, storage: undefined }] }, ''),
  ).toBeUndefined()
})

test('lines of the console are checked', () => {
  const logs = {
    ...{ transactionHash: null, method: 'eth_call', from: ADDRESS, to: null, blockNumber: '0x1', error: 'no', more: 0 },
    lines: [{ input: '0x', text: 'a', values: ['a'], signature: null }],
  }
  expect(consoleLogs(logs, '')).toBeUndefined()
  expect(consoleLogs({ ...logs, lines: [{ input: '0x', text: 7, values: [], signature: null }] }, '')).toBe(
    'lines[0].text',
  )
})

test('stack traces and builds are checked', () => {
  const frame = { address: ADDRESS, contract: 'C', function: null, file: 'C.sol', line: 3, column: 1, text: 'x' }
  const trace = { data: '0x', message: 'no', stack: [frame] }
  expect(stackTrace(trace, '')).toBeUndefined()
  expect(stackTrace({ ...trace, stack: [{ ...frame, line: -1 }] }, '')).toBe('stack[0].line')
  const known = { contract: 'C', path: 'C.sol', compiler: '', isExact: true, input: {}, output: {} }
  expect(build(known, '')).toBeUndefined()
  expect(build({ ...known, output: 7 }, '')).toBe('output')
})

test('columns of a million steps are checked', () => {
  const steps = 1_000_000
  const column = `0x${'0000000a'.repeat(steps)}`
  const long = { ...TRACE, steps, pcs: column, gas: column }
  expect(executionTrace(long, '')).toBeUndefined()
  expect(executionTrace({ ...long, gas: `${column.slice(0, -1)}g` }, '')).toBe('gas')
})

test.each([
  [{ pcs: '0x00000001' }, 'pcs'],
  [{ gas: '0x' }, 'gas'],
  [{ steps: 3 }, 'pcs'],
  [{ frames: [] }, 'frames'],
  [{ frames: [INNER] }, 'frames[0]'],
  [{ frames: [FRAME, FRAME] }, 'frames[1]'],
  [{ frames: [FRAME, { ...INNER, parent: 1 }] }, 'frames[1]'],
  [{ frames: [FRAME, { ...INNER, parent: 7 }] }, 'frames[1]'],
  [{ frames: [FRAME, { ...INNER, endStep: 3 }] }, 'frames[1]'],
  [{ frames: [FRAME, { ...INNER, firstStep: 2 }] }, 'frames[1]'],
  [{ frames: [{ ...FRAME, endStep: 3 }] }, 'frames[0]'],
  [{ frames: [{ ...FRAME, type: 'JUMP' }] }, 'frames[0].type'],
  [{ frames: [{ ...FRAME, code: toWord(2) }] }, 'frames[0].code'],
  [{ frames: [{ ...FRAME, code: '__proto__' }] }, 'frames[0].code'],
  [{ codes: [] }, 'codes'],
])('an execution with %j is invalid at %s', (part, where) => {
  expect(executionTrace({ ...TRACE, ...part }, '')).toBe(where)
})

test.each([
  [{ stack: ['1'] }, 'steps[0].stack[0]'],
  [{ memory: '0x1' }, 'steps[0].memory'],
  [{ frame: -1 }, 'steps[0].frame'],
  [{ storage: { key: '0x1', value: toWord(1) } }, 'steps[0].storage.key'],
])('steps with %j are invalid at %s', (part, where) => {
  expect(stepWindow({ first: 0, steps: [{ ...STEP, ...part }] }, '')).toBe(where)
})

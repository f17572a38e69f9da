import { type AbiFunction, erc20Abi, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { completeAbi, isAbi, parseAbiJson } from './parse-abi.ts'

test('an ABI is read directly or from a compiler’s artifact', () => {
  expect(parseAbiJson(JSON.stringify(erc20Abi))).toEqual({ ok: true, abi: erc20Abi })
  expect(parseAbiJson(JSON.stringify({ contractName: 'Token', abi: erc20Abi }))).toEqual({ ok: true, abi: erc20Abi })
  expect(isAbi(multicall3Abi)).toBe(true)
})

test.each([
  ['nonsense', 'function transfer()', /Not JSON/],
  ['another thing', '{"bytecode":"0x"}', /a JSON array/],
  ['nothing', '[]', /empty/],
  ['an entry of unknown kind', `[${JSON.stringify(erc20Abi[0])},{"type":"modifier","name":"x"}]`, /Entry 2/],
  ['an unknown type', '[{"type":"function","name":"f","inputs":[{"type":"uint7"}]}]', /Entry 1/],
  ['a tuple without members', '[{"type":"event","name":"E","inputs":[{"type":"tuple[]"}]}]', /Entry 1/],
  ['an invalid name', '[{"type":"error","name":{},"inputs":[]}]', /Entry 1/],
])('%s is explained in words', (_, text, message) => {
  const result = parseAbiJson(text)
  expect(result.ok ? 'an ABI' : result.error).toMatch(message)
})

test('the ABI of an old compiler says of each function whether it reads, and whether it takes ETH', () => {
  const old = [
    {
      constant: true,
      inputs: [],
      name: 'number',
      outputs: [{ name: '', type: 'uint256' }],
      payable: false,
      type: 'function',
    },
    { constant: false, inputs: [], name: 'deposit', outputs: [], payable: true, type: 'function' },
    { constant: false, inputs: [], name: 'set', outputs: [], payable: false, type: 'function' },
    // Before Solidity 0.4.0.
    { constant: false, name: 'early', type: 'function' },
    { constant: true, name: 'view', type: 'function' },
    { name: 'written', type: 'function' },
    { payable: true, type: 'fallback' },
    { inputs: [], payable: false, type: 'constructor' },
    { name: 'Changed', type: 'event' },
  ]
  const result = parseAbiJson(JSON.stringify(old))
  const abi = result.ok ? result.abi : []
  expect(abi.map((item) => ('stateMutability' in item ? item.stateMutability : undefined))).toEqual([
    ...['view', 'payable', 'nonpayable', 'payable', 'view', 'nonpayable', 'payable', 'nonpayable'],
    undefined,
  ])
  expect((abi[3] as AbiFunction).inputs).toEqual([])
  expect((abi[3] as AbiFunction).outputs).toEqual([])
  // Nothing is asked for, nothing is copied.
  expect(completeAbi(abi)).toBe(abi)
})

test.each([{ enumNames: 7 }, { enumNames: ['<b>'] }, { enumNames: [1] }])(
  'names of values that are none are refused: %o',
  (more) => {
    expect(isAbi([{ type: 'function', name: 'f', inputs: [{ type: 'uint8', ...more }] }])).toBe(false)
  },
)

test('deeply nested tuples are refused', () => {
  let parameter: unknown = { type: 'uint256' }
  for (let i = 0; i < 10_000; i++) parameter = { type: 'tuple', components: [parameter] }
  expect(isAbi([{ type: 'function', name: 'f', inputs: [parameter] }])).toBe(false)
})

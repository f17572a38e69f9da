import { erc20Abi, multicall3Abi } from 'viem'
import { expect, test } from 'vitest'
import { isAbi, parseAbiJson } from './parse-abi.ts'

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

test('deeply nested tuples are refused', () => {
  let parameter: unknown = { type: 'uint256' }
  for (let i = 0; i < 10_000; i++) parameter = { type: 'tuple', components: [parameter] }
  expect(isAbi([{ type: 'function', name: 'f', inputs: [parameter] }])).toBe(false)
})

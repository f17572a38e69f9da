import { expect, test } from 'vitest'
import { hexToBytes } from '#primitives/hex.ts'
import { decodeValues } from '#solidity/abi/decode.ts'
import { readStandardJson } from '#solidity/build/read-standard-json.ts'
import { createCodeIndex } from '#solidity/code/code-index.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { describeCreation } from './describe-creation.ts'

const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
contract Shop {
  enum State { open, closed }
  State internal state;
  uint256 internal immutable most;
  constructor(State first, uint256 limit) { state = first; most = limit; }
  function left(uint256 x) external view returns (uint256) { return most - x; }
}`

test('what follows the code of a creation are the arguments of its constructor', () => {
  const json = compileStandard({ 'Shop.sol': SOURCE })
  const index = createCodeIndex([readStandardJson(json)])
  const code = json.output.contracts['Shop.sol']?.['Shop']?.evm.bytecode.object ?? ''
  const words = [1, 77].map((word) => word.toString(16).padStart(64, '0')).join('')
  const created = describeCreation(index, `0x${code}${words}`)
  expect(created).toMatchObject({ contract: 'Shop', path: 'Shop.sol', encoded: `0x${words}` })
  const values = decodeValues(created?.parameters ?? [], hexToBytes(created?.encoded ?? '0x'))
  expect(values?.map(({ name, text }) => `${name} ${text}`)).toEqual(['first closed', 'limit 77'])
  expect(describeCreation(index, `0x${code}`)?.encoded).toBe('0x')
  expect(describeCreation(index, '0x6001')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { compileStandard, SOLC_VERSION, type SolcSettings } from '#testing/solidity/solc.ts'
import { readStandardJson } from './read-standard-json.ts'
import { writeStandardJson } from './write-standard-json.ts'

const SOURCE = `pragma solidity ^0.8.0;
library Sums { function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; } }
contract Sum {
  uint256 immutable public first;
  mapping(address => uint256) public balances;
  error TooSmall(uint256 given);
  constructor(uint256 a) { first = a; }
  function add(uint256 b) external view returns (uint256) {
    if (b == 0) revert TooSmall(b);
    return Sums.sum(first, b);
  }
}
interface Empty { function nothing() external; }`

const SETTINGS: readonly SolcSettings[] = [
  {},
  { optimizer: { enabled: true, runs: 7 }, viaIR: true, evmVersion: 'paris' },
  { remappings: ['@oz/=lib/oz/'], metadata: { bytecodeHash: 'none' }, debug: { revertStrings: 'strip' } },
]

test.each(SETTINGS)('a build is the same after it is written and read again, with %j', (settings) => {
  const { input, output } = compileStandard({ 'src/Sum.sol': SOURCE }, settings)
  const build = readStandardJson({ input, output, compiler: SOLC_VERSION })
  expect(build.contracts.map(({ deployed }) => deployed?.links.length)).toContain(1)
  const written = JSON.parse(JSON.stringify(writeStandardJson(build))) as { input: unknown; output: unknown }
  expect(readStandardJson({ ...written, compiler: SOLC_VERSION })).toEqual(build)
})

test('names such as __proto__ and constructor are kept', () => {
  const contracts = JSON.parse('{"__proto__":{"constructor":{"evm":{"bytecode":{"object":"00"}}}}}') as unknown
  const sources = JSON.parse('{"__proto__":{"id":0}}') as unknown
  const build = readStandardJson({ input: { settings: {} }, output: { contracts, sources } })
  const written = JSON.parse(JSON.stringify(writeStandardJson(build))) as { input: unknown; output: unknown }
  expect(readStandardJson(written)).toEqual(build)
  expect(build.contracts).toMatchObject([{ path: '__proto__', name: 'constructor' }])
})

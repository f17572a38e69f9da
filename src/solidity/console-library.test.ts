import { toFunctionSelector } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import type { Hex } from '#primitives/hex.ts'
import { CONSOLE_ADDRESS } from '#rpc-types/console.ts'
import { createTestNode, devAccount, type TestNode } from '#testing/node/test-node.ts'
import { compileStandard } from '#testing/solidity/solc.ts'
import { decodeConsoleCall } from './console.ts'
import { consoleLibrary } from './console-library.ts'

let node: TestNode

beforeAll(async () => {
  node = await createTestNode()
})

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n'
const PATHS = ['hardhat/console.sol', 'forge-std/console.sol', 'forge-std/console2.sol']
const ONLY_CODE = { '*': { '*': ['evm.bytecode.object'] } }

interface Frame {
  readonly to?: Hex
  readonly input: Hex
  readonly calls?: readonly Frame[]
}

/** The lines logged by a constructor with this body. */
async function linesOf(body: string, imports: string): Promise<string[]> {
  const sources = Object.fromEntries(PATHS.map((path) => [path, consoleLibrary(path) ?? '']))
  const source = `${HEAD}${imports}\ncontract Logger { constructor() { ${body} } }`
  const { output } = compileStandard({ ...sources, 'Logger.sol': source }, {}, ONLY_CODE)
  const code = output.contracts['Logger.sol']?.['Logger']?.evm.bytecode.object
  const trace = (await node.request('debug_traceCall', [
    { from: devAccount(0).address, data: `0x${code}` },
    'latest',
    { tracer: 'callTracer' },
  ])) as unknown as Frame
  return (trace.calls ?? []).map(({ to, input }) => {
    expect(to).toBe(CONSOLE_ADDRESS)
    return decodeConsoleCall(input).text
  })
}

const ONES = '0x1111111111111111111111111111111111111111'

test('Hardhat’s library compiles, and its calls are decoded', async () => {
  const body = `
    console.log();
    console.log(1, 2);
    console.log("a", uint256(1), true, address(${ONES}));
    console.logInt(-3); console.logUint(5); console.logBool(true); console.logString("s"); console.logAddress(${ONES});
    console.logBytes(hex"0102"); console.logBytes32(bytes32(uint256(255)));
    console.log("%d%%", uint256(10));`
  const lines = ['', '1 2', `a 1 true ${ONES}`, '-3', '5', 'true', 's', ONES]
  const more = ['0x0102', `0x${'ff'.padStart(64, '0')}`, '10%']
  expect(await linesOf(body, 'import "hardhat/console.sol";')).toEqual([...lines, ...more])
})

test('forge-std’s libraries compile, with two functions for signed numbers that Hardhat’s does not have', async () => {
  const body = 'console.log(int256(-1)); console2.log("n", int256(-2));'
  const imports = 'import "forge-std/console.sol"; import "forge-std/console2.sol";'
  expect(await linesOf(body, imports)).toEqual(['-1', 'n -2'])
  await expect(linesOf('console.log(int256(-1));', 'import "hardhat/console.sol";')).rejects.toThrow(/not found/)
})

test('the decoder knows every function of the libraries', () => {
  for (const path of ['hardhat/console.sol', 'forge-std/console.sol']) {
    const signatures = [...(consoleLibrary(path) ?? '').matchAll(/WithSignature\("([^"]*)"/g)].map(
      ([, text]) => text ?? '',
    )
    expect(signatures.length).toBeGreaterThan(370)
    for (const signature of signatures)
      expect(decodeConsoleCall(toFunctionSelector(signature)).signature).toBe(signature)
  }
})

test('any other path has no library', () => {
  expect(consoleLibrary('forge-std/Test.sol')).toBeUndefined()
  expect(consoleLibrary('forge-std/src/console.sol')).toBe(consoleLibrary('forge-std/console.sol'))
})

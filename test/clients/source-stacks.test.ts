import { createRequire } from 'node:module'
import { Contract, JsonRpcProvider, Network } from 'ethers'
import { BaseError, ContractFunctionRevertedError, createPublicClient, encodeErrorResult, http, parseAbi } from 'viem'
import { beforeAll, expect, test } from 'vitest'
import { Web3 } from 'web3'
import { describeWith } from './support/describe-with.ts'
import { runFoundry } from './support/foundry.ts'
import { onBlinknet } from './support/on-every-node.ts'

// A node that knows the sources adds a member to the errors of failed calls. Libraries have to find the revert data all the same.

const SOURCE = `pragma solidity ^0.8.0;
contract Vault {
  error TooMuch(uint256 asked);
  function take(uint256 amount) external pure returns (uint256) {
    if (amount > 5) revert TooMuch(amount);
    require(amount != 4, "not four");
    return 1 / amount;
  }
}`
const SIGNATURES = [
  'function take(uint256 amount) pure returns (uint256 part)',
  'error TooMuch(uint256 asked)',
] as const
const ABI = parseAbi(SIGNATURES)
const AT = `0x${'c0'.repeat(20)}` as const
const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string; version(): string }
const INPUT = {
  language: 'Solidity',
  sources: { 'src/Vault.sol': { content: SOURCE } },
  settings: {
    outputSelection: { '*': { '': ['ast'], '*': ['abi', 'metadata', 'evm.bytecode', 'evm.deployedBytecode'] } },
  },
}
const OUTPUT = JSON.parse(solc.compile(JSON.stringify(INPUT))) as {
  readonly contracts: Record<string, Record<string, { evm: { deployedBytecode: { object: string } } }>>
}
const CODE = `0x${OUTPUT.contracts['src/Vault.sol']?.['Vault']?.evm.deployedBytecode.object ?? ''}`

/** What the promise was rejected with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  )
}

onBlinknet('source stacks', (node) => {
  async function rpc(method: string, params: readonly unknown[]) {
    const answer = await fetch(node().http, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return (await answer.json()) as { result?: unknown; error?: { data?: unknown; stackTrace?: unknown } }
  }

  beforeAll(async () => {
    await rpc('anvil_setCode', [AT, CODE])
    expect(await rpc('hardhat_addCompilationResult', [solc.version(), INPUT, OUTPUT])).toMatchObject({ result: true })
    const data = `0xa694fc3a${'0'.repeat(64)}`
    expect((await rpc('eth_call', [{ to: AT, data }, 'pending'])).error).toMatchObject({
      data: expect.stringMatching(/^0x/) as unknown,
      stackTrace: { stack: expect.any(Array) as unknown },
    })
  })

  test('viem decodes errors that have a stack trace', async () => {
    const client = createPublicClient({ transport: http(node().http) })
    const revertOf = async (amount: bigint) => {
      const read = client.readContract({
        address: AT,
        abi: ABI,
        functionName: 'take',
        args: [amount],
        blockTag: 'pending',
      })
      const error = await failure(read)
      if (!(error instanceof BaseError)) throw error
      return error.walk((cause) => cause instanceof ContractFunctionRevertedError)
    }
    expect(await revertOf(9n)).toMatchObject({ data: { errorName: 'TooMuch', args: [9n] } })
    expect(await revertOf(4n)).toMatchObject({ reason: 'not four' })
    expect(await revertOf(0n)).toMatchObject({ data: { errorName: 'Panic', args: [18n] } })
  })

  test('ethers decodes errors that have a stack trace', async () => {
    const network = Network.from(31337)
    const provider = new JsonRpcProvider(node().http, network, { staticNetwork: network })
    const take = new Contract(AT, SIGNATURES, provider).getFunction('take')
    const call = (amount: number) => failure(take.staticCall(amount, { blockTag: 'pending' }))
    expect(await call(9)).toMatchObject({ code: 'CALL_EXCEPTION', revert: { name: 'TooMuch', args: [9n] } })
    expect(await call(4)).toMatchObject({ code: 'CALL_EXCEPTION', reason: 'not four' })
    expect(await call(0)).toMatchObject({ code: 'CALL_EXCEPTION', revert: { name: 'Panic', args: [18] } })
    expect(await failure(take.estimateGas(9))).toMatchObject({
      ...{ code: 'CALL_EXCEPTION', action: 'estimateGas' },
      data: encodeErrorResult({ abi: ABI, errorName: 'TooMuch', args: [9n] }),
    })
    provider.destroy()
  })

  test('web3.js decodes errors that have a stack trace', async () => {
    const contract = new new Web3(node().http).eth.Contract(ABI, AT)
    const error = await failure(contract.methods.take(9n).call({}, 'pending'))
    expect(error).toMatchObject({ cause: { errorName: 'TooMuch', errorArgs: { asked: 9n } } })
  })

  describeWith('cast', 'cast', (binary) => {
    test('cast finds the revert data beside a stack trace', async () => {
      const args = ['call', '--block', 'pending', AT, 'take(uint256)(uint256)', '9']
      const { code, errors } = await runFoundry(binary, node().http, args)
      expect(code).not.toBe(0)
      expect(errors).toMatch(/execution reverted/)
      // The selector of the error.
      expect(errors).toMatch(/TooMuch|0x[0-9a-f]{8}/)
    })
  })
})

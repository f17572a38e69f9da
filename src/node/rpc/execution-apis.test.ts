import { MetaMaskOpenRPCDocument } from '@metamask/api-specs'
import { expect, test } from 'vitest'
import type { OpenRpcContent, OpenRpcDocument } from '#rpc-types/open-rpc.ts'
import { AMENDMENTS, amended, createSpecCheck } from '#testing/node/rpc/execution-apis/amendments.ts'
import { recordScenario } from '#testing/node/rpc/execution-apis/scenario.ts'
import published from './openrpc.json'

/** An older version of execution-apis, with MetaMask's own methods added. */
const SPEC = MetaMaskOpenRPCDocument as unknown as OpenRpcDocument
/** MetaMask's own methods, for keys that only a wallet has. */
const WALLET_ONLY = ['eth_decrypt', 'eth_getEncryptionPublicKey']

const specMethods = SPEC.methods.filter(({ name }) => /^(eth|web3)_/.test(name) && !WALLET_ONLY.includes(name))
const results = await recordScenario()

test('the scenario has a result of every method of execution-apis', () => {
  const called = new Set(results.map(({ method }) => method))
  expect(specMethods.map(({ name }) => name).filter((name) => !called.has(name))).toEqual([])
})

test.each(specMethods.map(({ name }) => name))('the result of %s matches execution-apis', (name) => {
  const check = createSpecCheck(amended(SPEC))
  const violations = results.filter(({ method }) => method === name).flatMap((result) => check(result))
  expect(violations).toEqual([])
})

test.each(AMENDMENTS.map(({ why }) => why))('without this amendment results would not match: %s', (why) => {
  const check = createSpecCheck(amended(SPEC, why))
  const judged = results.filter(({ method }) => specMethods.some(({ name }) => name === method))
  expect(judged.flatMap((result) => check(result))).not.toEqual([])
})

test('a wrong result fails the check', () => {
  const check = createSpecCheck(amended(SPEC))
  const block = results.find(({ method, result }) => method === 'eth_getBlockByNumber' && result !== null)?.result
  const wrong = (change: object) =>
    check({ method: 'eth_getBlockByNumber', result: { ...(block as object), ...change } })
  expect(wrong({})).toEqual([])
  expect(wrong({ number: '0x01' })).not.toEqual([])
  expect(wrong({ nonce: '0x0' })).not.toEqual([])
  expect(wrong({ colour: 'red' })).not.toEqual([])
  expect(check({ method: 'eth_blockNumber', result: 1 })).not.toEqual([])
})

/** The difference between our parameters and those of execution-apis; `undefined` if there is none. */
function difference(theirs: readonly OpenRpcContent[], ours: readonly OpenRpcContent[]): string | undefined {
  if (theirs.length > ours.length) return 'fewer'
  const required = (params: readonly OpenRpcContent[]) => params.filter((param) => param.required === true).length
  const [wanted, here] = [required(theirs), required(ours)]
  if (here > wanted) return 'more are required'
  if (here < wanted) return 'fewer are required'
  return ours.length > theirs.length ? 'more are optional' : undefined
}

test('parameters are those of execution-apis, except for geth’s additions', () => {
  const differences = specMethods.map(({ name, params }): [string, string | undefined] => {
    const ours = published.methods.find((method) => method.name === name)
    return [name, ours ? difference(params, ours.params) : 'no such method']
  })
  expect(Object.fromEntries(differences.filter(([, found]) => found !== undefined))).toEqual({
    // Overrides of the state and of the block.
    eth_call: 'more are optional',
    eth_estimateGas: 'more are optional',
    // Whole transactions instead of hashes.
    eth_newPendingTransactionFilter: 'more are optional',
    // Without a block, `latest`.
    eth_getBalance: 'fewer are required',
    eth_getCode: 'fewer are required',
    eth_getProof: 'fewer are required',
    eth_getStorageAt: 'fewer are required',
    eth_getTransactionCount: 'fewer are required',
    // Without percentiles, no rewards.
    eth_feeHistory: 'fewer are required',
    // Parameters that are needed, although execution-apis does not say so.
    eth_getBlockTransactionCountByHash: 'more are required',
    eth_getBlockTransactionCountByNumber: 'more are required',
    eth_getFilterChanges: 'more are required',
    eth_getFilterLogs: 'more are required',
    eth_getLogs: 'more are required',
    eth_getUncleCountByBlockHash: 'more are required',
    eth_getUncleCountByBlockNumber: 'more are required',
    eth_newFilter: 'more are required',
    eth_uninstallFilter: 'more are required',
  })
})

import {
  getCallsStatus,
  getCapabilities,
  readContract,
  sendCalls,
  sendCallsSync,
  showCallsStatus,
  waitForCallsStatus,
} from '@wagmi/core'
import {
  type Address,
  AtomicityNotSupportedError,
  AtomicReadyWalletRejectedUpgradeError,
  BundleFailedError,
  BundleTooLargeError,
  DuplicateIdError,
  type Hex,
  parseEther,
  UnknownBundleIdError,
  UnsupportedNonOptionalCapabilityError,
} from 'viem'
import { expect, test } from 'vitest'
import { onBlinknet } from './support/on-every-node.ts'
import { VAULT_ABI as abi } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'
import { connectedConfig, deployVault, useWindow } from './support/wagmi-config.ts'

const SOMEBODY: Address = '0x00000000000000000000000000000000000c0ffe'

// EIP-5792; anvil has no bundles of calls.
onBlinknet('wagmi, bundles of calls,', (node) => {
  useWindow()

  test('the wallet says that it does not do calls atomically', async () => {
    const config = await connectedConfig(node())
    expect(await getCapabilities(config, { chainId: 31337 })).toEqual({ atomic: { status: 'unsupported' } })
    expect(await getCapabilities(config)).toEqual({ 31337: { atomic: { status: 'unsupported' } } })
    const sent = sendCalls(config, { calls: [{ to: SOMEBODY }], forceAtomic: true })
    await expect(sent).rejects.toMatchObject({ cause: expect.any(AtomicityNotSupportedError) as unknown })
  })

  test('calls are made in their order, and their receipts come in that order', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(1).address
    const address = await deployVault(config, account)
    const { id } = await sendCalls(config, {
      account,
      calls: [
        { to: SOMEBODY, value: 1n },
        { to: address, abi, functionName: 'set', args: [6n, 'six'] },
        { to: address, abi, functionName: 'set', args: [7n, 'seven'] },
      ],
    })
    const { status, statusCode, atomic, receipts, chainId } = await waitForCallsStatus(config, { id })
    expect({ status, statusCode, atomic, chainId }).toEqual({
      status: 'success',
      statusCode: 200,
      atomic: false,
      chainId: 31337,
    })
    expect(receipts?.map((receipt) => [receipt.status, receipt.logs.length])).toEqual([
      ['success', 0],
      ['success', 1],
      ['success', 1],
    ])
    expect(await readContract(config, { address, abi, functionName: 'number' })).toBe(7n)
    expect(await getCallsStatus(config, { id })).toMatchObject({ status: 'success' })
    await showCallsStatus(config, { id })
  })

  test('a bundle is sent and awaited in one go', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(2).address
    const { status, receipts } = await sendCallsSync(config, { account, calls: [{ to: SOMEBODY, value: 2n }] })
    expect(status).toBe('success')
    expect(receipts).toHaveLength(1)
  })

  test('an unaffordable bundle is refused as a whole', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(3).address
    const calls = [
      { to: SOMEBODY, value: 1n },
      { to: SOMEBODY, value: parseEther('100000') },
    ]
    await expect(sendCalls(config, { account, calls })).rejects.toThrow(/insufficient funds/)
    expect(await node().rpc('eth_getTransactionCount', account, 'pending')).toBe('0x0')
  })

  test('a bundle that was never sent is unknown', async () => {
    const config = await connectedConfig(node())
    await expect(getCallsStatus(config, { id: '0x1234' })).rejects.toThrow(/no bundle has the id/)
  })

  /** A shop as dapps write it: a branch for each answer of the wallet. */
  async function checkOut(config: Awaited<ReturnType<typeof connectedConfig>>, account: Address, calls: Calls) {
    const { atomic } = await getCapabilities(config, { account, chainId: 31337 })
    const canBatch = atomic?.status === 'supported' || atomic?.status === 'ready'
    const { id } = await sendCalls(config, { account, calls, forceAtomic: canBatch })
    return { said: atomic?.status, ...(await waitForCallsStatus(config, { id })) }
  }
  type Calls = readonly { readonly to: Address; readonly value?: bigint; readonly data?: Hex }[]
  const twice: Calls = [
    { to: SOMEBODY, value: 1n },
    { to: SOMEBODY, value: 2n },
  ]

  test('a dapp takes its branches: a sequence, an upgrade with a batch, and a batch', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(4).address
    const sequence = await checkOut(config, account, twice)
    expect(sequence).toMatchObject({ said: 'unsupported', status: 'success', statusCode: 200, atomic: false })
    expect(sequence.receipts).toHaveLength(2)
    await node().rpc('devnet_setAtomicBundles', 'ready')
    try {
      const upgrade = await checkOut(config, account, twice)
      expect(upgrade).toMatchObject({ said: 'ready', status: 'success', statusCode: 200, atomic: true })
      const [receipt] = upgrade.receipts ?? []
      expect(upgrade.receipts).toHaveLength(1)
      expect(receipt).toMatchObject({ status: 'success', logs: [] })
      const batch = await checkOut(config, account, twice)
      expect(batch).toMatchObject({ said: 'supported', status: 'success', atomic: true })
      expect(await node().rpc('eth_getTransactionByHash', batch.receipts?.[0]?.transactionHash)).toMatchObject({
        type: '0x2',
        from: account.toLowerCase(),
        to: account.toLowerCase(),
      })
    } finally {
      await node().rpc('devnet_setAtomicBundles', 'unsupported')
    }
  })

  test('wagmi tells a batch that failed as a whole from a sequence that failed half way', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(5).address
    const BROKEN = '0x000000000000000000000000000000000000b0b0'
    await node().rpc('anvil_setCode', BROKEN, '0x5f5ffd')
    const calls = [{ to: SOMEBODY, value: 1n }, { to: BROKEN }] as const
    const capabilities = { mayFail: {} }
    await expect(sendCalls(config, { account, calls })).rejects.toThrow(/execution reverted/)
    const sequence = await sendCalls(config, { account, calls, capabilities })
    const partly = await waitForCallsStatus(config, { id: sequence.id })
    expect(partly).toMatchObject({ status: 'failure', statusCode: 600, atomic: false })
    expect(partly.receipts?.map((receipt) => receipt.status)).toEqual(['success', 'reverted'])
    await node().rpc('devnet_setAtomicBundles', 'supported')
    try {
      const batch = await sendCalls(config, { account, calls, capabilities, forceAtomic: true })
      const none = await waitForCallsStatus(config, { id: batch.id })
      expect(none).toMatchObject({ status: 'failure', statusCode: 500, atomic: true })
      expect(none.receipts?.map((receipt) => receipt.status)).toEqual(['reverted'])
      await expect(waitForCallsStatus(config, { id: batch.id, throwOnFailure: true })).rejects.toThrow(
        BundleFailedError,
      )
    } finally {
      await node().rpc('devnet_setAtomicBundles', 'unsupported')
    }
  })

  test('viem knows each refusal by its class', async () => {
    const config = await connectedConfig(node())
    const account = devAccount(6).address
    const many = Array.from({ length: 257 }, () => ({ to: SOMEBODY }))
    await expect(sendCalls(config, { account, calls: many })).rejects.toMatchObject({
      cause: expect.any(BundleTooLargeError) as unknown,
    })
    const capabilities = { paymasterService: { url: 'https://x' } }
    await expect(sendCalls(config, { account, calls: twice, capabilities })).rejects.toMatchObject({
      cause: expect.any(UnsupportedNonOptionalCapabilityError) as unknown,
    })
    await sendCalls(config, { account, calls: twice, id: '0xaa' })
    await expect(sendCalls(config, { account, calls: twice, id: '0xaa' })).rejects.toMatchObject({
      cause: expect.any(DuplicateIdError) as unknown,
    })
    await expect(getCallsStatus(config, { id: '0xab' })).rejects.toThrow(UnknownBundleIdError)
    await node().rpc('devnet_setAtomicBundles', 'ready')
    try {
      const refused = node().request({
        method: 'wallet_sendCalls',
        params: [
          {
            version: '2.0.0',
            from: account,
            chainId: '0x7a69',
            atomicRequired: true,
            upgrade: false,
            calls: [{ to: SOMEBODY }],
          },
        ],
      })
      await expect(refused).rejects.toMatchObject({ code: AtomicReadyWalletRejectedUpgradeError.code })
    } finally {
      await node().rpc('devnet_setAtomicBundles', 'unsupported')
    }
  })
})

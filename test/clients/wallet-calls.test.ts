import {
  getCallsStatus,
  getCapabilities,
  readContract,
  sendCalls,
  sendCallsSync,
  showCallsStatus,
  waitForCallsStatus,
} from '@wagmi/core'
import { type Address, AtomicityNotSupportedError, parseEther } from 'viem'
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
})

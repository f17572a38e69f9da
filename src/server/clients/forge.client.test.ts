import { numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { describeWith } from './testing/describe-with.ts'
import { useForgeProject } from './testing/forge-project.ts'
import { runFoundry } from './testing/foundry.ts'
import { onEveryNode } from './testing/on-every-node.ts'
import { devAccount } from './testing/viem-clients.ts'

const SIGNATURE = ['--sig', 'run(uint256,bytes32)']

describeWith('forge', 'forge', (binary) => {
  // One for both nodes: the script is compiled once.
  const project = useForgeProject()

  onEveryNode('forge', (node) => {
    const forge = (...args: readonly string[]) => runFoundry(binary, node().http, args, project().directory)
    const key = (index: number) => DEV_KEYS[index]?.privateKey ?? expect.fail('no such account')
    const salt = (index: number) => pad(numberToHex(index + 1))

    /** Runs the script; the account is the salt, so that no two of them deploy to one address. */
    function script(index: number, first: number, ...args: readonly string[]) {
      const given = [String(first), salt(index), '--rpc-url', node().http]
      return forge('script', project().script, ...SIGNATURE, ...given, ...args)
    }

    /** The slots 0 and 1 of a contract, and what it owns. */
    async function shelf(address: string) {
      const [number, owner, balance] = await Promise.all([
        node().rpc('eth_getStorageAt', address, '0x0', 'pending'),
        node().rpc('eth_getStorageAt', address, '0x1', 'pending'),
        node().rpc('eth_getBalance', address, 'pending'),
      ])
      return { number: BigInt(number as string), owner, balance }
    }

    describe.each([
      ['all at once', 0, []],
      ['one after another', 1, ['--slow']],
      ['without the fees of EIP-1559', 2, ['--legacy']],
      ['without a simulation on the chain', 3, ['--skip-simulation']],
    ] as const)('a script sends its transactions %s', (_name, index, args) => {
      test('and leaves behind what it wrote, with a receipt for each', async () => {
        const run = await script(index, 20, '--broadcast', '--private-key', key(index), ...args)
        expect(run.code, run.errors).toBe(0)
        expect(run.output).toContain('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL')
        const { transactions, receipts, returns } = await project().broadcast()
        expect(transactions.map(({ transactionType }) => transactionType)).toEqual(['CREATE', 'CALL', 'CALL', 'CREATE2'])
        expect(transactions.map(({ transaction }) => Number(transaction.nonce))).toEqual([0, 1, 2, 3])
        const type = args[0] === '--legacy' ? '0x0' : '0x2'
        // In the order in which they came, which may be any.
        const found = transactions.map(({ hash }) => receipts.find(({ transactionHash }) => transactionHash === hash))
        expect(found).toMatchObject([0, 1, 1, 0].map((length) => ({ status: '0x1', type, logs: { length } })))

        const sender = devAccount(index).address
        expect(await shelf(returns['shelf']?.value ?? '')).toEqual({
          number: 42n,
          owner: pad(sender).toLowerCase(),
          balance: '0x3',
        })
        // The CREATE2 deployer made it, at an address that forge foretold.
        expect(await shelf(returns['salted']?.value ?? '')).toMatchObject({ number: 20n, balance: '0x0' })
        for (const { hash } of transactions) {
          const receipt = (await node().rpc('eth_getTransactionReceipt', hash)) as RpcReceipt
          expect(receipt).toMatchObject({ from: sender.toLowerCase(), status: '0x1' })
        }
      })
    })

    test('the node signs for a development account', async () => {
      const sender = devAccount(4).address
      const run = await script(4, 5, '--broadcast', '--unlocked', '--sender', sender)
      expect(run.code, run.errors).toBe(0)
      const { receipts, returns } = await project().broadcast()
      expect(receipts).toMatchObject(Array.from({ length: 4 }, () => ({ from: sender.toLowerCase(), status: '0x1' })))
      expect((await shelf(returns['shelf']?.value ?? '')).number).toBe(12n)
    })

    test('a script that is not to broadcast changes nothing', async () => {
      const run = await script(5, 1, '--private-key', key(5))
      expect(run.code, run.errors).toBe(0)
      expect(run.output).toContain('SIMULATION COMPLETE')
      expect(await node().rpc('eth_getTransactionCount', devAccount(5).address, 'pending')).toBe('0x0')
    })

    test('a script that reverts sends nothing', async () => {
      const overflow = (2n ** 256n - 1n).toString()
      const run = await forge(
        'script',
        project().script,
        ...SIGNATURE,
        overflow,
        salt(6),
        '--rpc-url',
        node().http,
        '--broadcast',
        '--private-key',
        key(6),
      )
      expect(run.code).not.toBe(0)
      expect(run.errors).toContain('arithmetic underflow or overflow')
      expect(await node().rpc('eth_getTransactionCount', devAccount(6).address, 'pending')).toBe('0x0')
    })

    test('a second script of the same account goes on where the first one stopped, once that is sealed', async () => {
      for (const first of [1, 2]) {
        const run = await script(7, first, '--broadcast', '--private-key', key(7))
        expect(run.code, run.errors).toBe(0)
        // forge counts nonces at `latest`: DIFFERENCES.md, 2.
        await node().rpc('evm_mine')
      }
      expect(await node().rpc('eth_getTransactionCount', devAccount(7).address, 'latest')).toBe('0x8')
    })

    test('a contract is created with its arguments and a value', async () => {
      const sending = ['--broadcast', '--json', '--private-key', key(8), '--rpc-url', node().http]
      const run = await forge('create', project().contract, ...sending, '--value', '9', '--constructor-args', '77')
      expect(run.code, run.errors).toBe(0)
      const { deployedTo, transactionHash } = JSON.parse(run.output) as Record<string, string>
      expect(await shelf(deployedTo ?? '')).toEqual({
        number: 77n,
        owner: pad(devAccount(8).address).toLowerCase(),
        balance: '0x9',
      })
      expect(await node().rpc('eth_getTransactionReceipt', transactionHash)).toMatchObject({
        status: '0x1',
        contractAddress: deployedTo?.toLowerCase(),
      })
    })
  })
})

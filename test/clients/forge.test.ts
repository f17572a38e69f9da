import { numberToHex, pad } from 'viem'
import { describe, expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'
import { describeWith } from './support/describe-with.ts'
import { useForgeProject } from './support/forge-project.ts'
import { runFoundry } from './support/foundry.ts'
import { onEveryNodeWith } from './support/on-every-node.ts'
import { devAccount } from './support/viem-clients.ts'

// With automine alone, anvil at times leaves some of a script's transactions in its pool, and forge waits for ever
// (foundry-rs/foundry, issue 10122).
const ANVIL = ['--mixed-mining', '--block-time', '1']
const SIGNATURE = ['--sig', 'run(uint256,bytes32)']

describeWith('forge', 'forge', (binary) => {
  // One for both nodes: the script is compiled once.
  const project = useForgeProject()

  onEveryNodeWith(ANVIL, 'forge', (node) => {
    const forge = (...args: readonly string[]) => runFoundry(binary, node().http, args, project().directory)
    const key = (index: number) => DEV_KEYS[index]?.privateKey ?? expect.fail('no such account')
    const salt = (index: number) => pad(numberToHex(index + 1))

    /** Runs the script; the account is the salt, so that no two of them deploy to one address. */
    function script(index: number, first: number | bigint, ...args: readonly string[]) {
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
      ['one after another, without the fees of EIP-1559', 1, ['--slow', '--legacy']],
    ] as const)('a script sends its transactions %s', (_name, index, args) => {
      test('and leaves behind what it wrote, with a receipt for each', async () => {
        const run = await script(index, 20, '--broadcast', '--private-key', key(index), ...args)
        expect(run.code, run.errors).toBe(0)
        expect(run.output).toContain('ONCHAIN EXECUTION COMPLETE & SUCCESSFUL')
        const { transactions, receipts, returns } = await project().broadcast()
        expect(transactions.map(({ transactionType }) => transactionType)).toEqual([
          'CREATE',
          'CALL',
          'CALL',
          'CREATE2',
        ])
        expect(transactions.map(({ transaction }) => Number(transaction.nonce))).toEqual([0, 1, 2, 3])
        // Sent all at once, hashes and receipts are listed in the order in which they came.
        const hashes = transactions.map(({ hash }) => hash)
        expect(new Set(receipts.map(({ transactionHash }) => transactionHash))).toEqual(new Set(hashes))
        const type = args.length === 0 ? '0x2' : '0x0'
        expect(receipts).toMatchObject(hashes.map(() => ({ status: '0x1', type })))
        expect(receipts.flatMap(({ logs }) => logs)).toHaveLength(2)

        const sender = devAccount(index).address
        expect(await shelf(returns['shelf']?.value ?? '')).toEqual({
          number: 42n,
          owner: pad(sender).toLowerCase(),
          balance: '0x3',
        })
        // The CREATE2 deployer made it, at an address that forge foretold.
        expect(await shelf(returns['salted']?.value ?? '')).toMatchObject({ number: 20n, balance: '0x0' })
        for (const hash of hashes) {
          const receipt = (await node().rpc('eth_getTransactionReceipt', hash)) as RpcReceipt
          expect(receipt).toMatchObject({ from: sender.toLowerCase(), status: '0x1' })
        }
      })
    })

    test('the node signs for a development account', async () => {
      const sender = devAccount(2).address
      const run = await script(2, 5, '--broadcast', '--unlocked', '--sender', sender)
      expect(run.code, run.errors).toBe(0)
      const { receipts, returns } = await project().broadcast()
      expect(receipts).toMatchObject(Array.from({ length: 4 }, () => ({ from: sender.toLowerCase(), status: '0x1' })))
      expect((await shelf(returns['shelf']?.value ?? '')).number).toBe(12n)
    })

    test('a script without --broadcast changes nothing', async () => {
      const run = await script(3, 1, '--private-key', key(3))
      expect(run.code, run.errors).toBe(0)
      expect(run.output).toContain('SIMULATION COMPLETE')
      expect(await node().rpc('eth_getTransactionCount', devAccount(3).address, 'pending')).toBe('0x0')
    })

    test('a script that reverts sends nothing', async () => {
      const overflow = 2n ** 256n - 1n
      const run = await script(4, overflow, '--broadcast', '--private-key', key(4))
      expect(run.code).not.toBe(0)
      expect(run.errors).toContain('arithmetic underflow or overflow')
      expect(await node().rpc('eth_getTransactionCount', devAccount(4).address, 'pending')).toBe('0x0')
    })

    test('a second script of the same account continues after the first one is sealed', async () => {
      for (const first of [1, 2]) {
        const run = await script(5, first, '--broadcast', '--private-key', key(5))
        expect(run.code, run.errors).toBe(0)
        // forge counts nonces at `latest`: DIFFERENCES.md, 2.
        await node().rpc('evm_mine')
      }
      expect(await node().rpc('eth_getTransactionCount', devAccount(5).address, 'latest')).toBe('0x8')
    })

    test('a contract is created with its arguments and a value', async () => {
      const sending = ['--broadcast', '--json', '--private-key', key(6), '--rpc-url', node().http]
      const run = await forge('create', project().contract, ...sending, '--value', '9', '--constructor-args', '77')
      expect(run.code, run.errors).toBe(0)
      const { deployedTo, transactionHash } = JSON.parse(run.output) as Record<string, string>
      expect(await shelf(deployedTo ?? '')).toEqual({
        number: 77n,
        owner: pad(devAccount(6).address).toLowerCase(),
        balance: '0x9',
      })
      expect(await node().rpc('eth_getTransactionReceipt', transactionHash)).toMatchObject({
        status: '0x1',
        contractAddress: deployedTo?.toLowerCase(),
      })
    })
  })
})

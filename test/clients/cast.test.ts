import { encodeDeployData, getAddress, type Hex, pad } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { expect, test } from 'vitest'
import { DEV_KEYS } from '#rpc-types/dev-keys.ts'
import type { RpcReceipt, RpcTransaction } from '#rpc-types/objects.ts'
import { describeWith } from './support/describe-with.ts'
import { runFoundry } from './support/foundry.ts'
import { onBlinknet, onEveryNode } from './support/on-every-node.ts'
import { VAULT_ABI, VAULT_BYTECODE } from './support/vault-contract.ts'
import { devAccount } from './support/viem-clients.ts'

const SOMEBODY = '0x00000000000000000000000000000000000c0ffe'

describeWith('cast', 'cast', (binary) => {
  onEveryNode('cast', (node) => {
    /** The output of `cast`. */
    async function cast(...args: readonly string[]): Promise<string> {
      const { code, output, errors } = await runFoundry(binary, node().http, args)
      expect(code, `cast ${args.join(' ')}: ${errors}`).toBe(0)
      return output
    }

    /** The error message of `cast`. */
    async function complaint(...args: readonly string[]): Promise<string> {
      const { code, errors } = await runFoundry(binary, node().http, args)
      expect(code, `cast ${args.join(' ')}`).not.toBe(0)
      return errors
    }

    const key = (index: number) => DEV_KEYS[index]?.privateKey ?? expect.fail('no such account')
    /** With a nonce: cast would count it at `latest`, DIFFERENCES.md, 2. */
    async function send(index: number, ...args: readonly string[]): Promise<RpcReceipt> {
      const nonce = await cast('nonce', '--block', 'pending', devAccount(index).address)
      const sender = ['--private-key', key(index), '--nonce', nonce]
      return JSON.parse(await cast('send', '--json', ...sender, ...args)) as RpcReceipt
    }
    const deploy = async (index: number) => {
      const data = encodeDeployData({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })
      const { contractAddress } = await send(index, '--create', data)
      return contractAddress ?? expect.fail('no contract')
    }

    test('the chain, a block and a balance are read', async () => {
      expect(await cast('chain-id')).toBe('31337')
      expect(Number(await cast('block-number'))).toBeGreaterThanOrEqual(0)
      expect(await cast('balance', '--ether', devAccount(9).address)).toBe('10000.000000000000000000')
      const block = JSON.parse(await cast('block', 'latest', '--json')) as { hash: Hex; number: Hex }
      expect(await cast('block', block.number, '--field', 'hash')).toBe(block.hash)
      expect(await cast('rpc', 'eth_chainId')).toBe('"0x7a69"')
      expect(Number(await cast('gas-price'))).toBeGreaterThan(0)
      expect(await cast('client')).toMatch(node().name === 'anvil' ? /^anvil/ : /^Blinknet/i)
    })

    test.each([
      ['0x0', ['--legacy']],
      ['0x1', ['--legacy', '--access-list', JSON.stringify([{ address: SOMEBODY, storageKeys: [] }])]],
      ['0x2', []],
    ] as const)('a transaction of type %s moves its value', async (type, args) => {
      const before = BigInt(await cast('balance', '--block', 'pending', SOMEBODY))
      const receipt = await send(0, SOMEBODY, '--value', '7', ...args)
      expect(receipt).toMatchObject({ type, status: '0x1', to: SOMEBODY })
      expect(BigInt(await cast('balance', '--block', 'pending', SOMEBODY))).toBe(before + 7n)
      const found = JSON.parse(await cast('tx', '--json', receipt.transactionHash)) as RpcTransaction
      expect(found).toMatchObject({ hash: receipt.transactionHash, type, value: '0x7' })
      expect(JSON.parse(await cast('receipt', '--json', receipt.transactionHash))).toMatchObject({
        gasUsed: receipt.gasUsed,
      })
    })

    test('a contract is deployed, written, read, and its logs are found', async () => {
      const vault = await deploy(1)
      const receipt = await send(1, vault, 'set(uint256,string)', '9', 'nine')
      expect(receipt.status).toBe('0x1')
      expect(await cast('call', '--block', 'pending', vault, 'number()(uint256)')).toBe('9')
      const note = await cast('call', '--block', 'pending', vault, 'notes(address)(string)', devAccount(1).address)
      expect(note).toBe('"nine"')
      expect(await cast('storage', '--block', 'pending', vault, '1')).toBe(pad('0x9'))
      const range = ['--from-block', '0', '--to-block', 'pending', '--address', vault]
      const event = 'Changed(address indexed,uint256 indexed,string)'
      const logs = JSON.parse(await cast('logs', '--json', ...range, event, devAccount(1).address, '9')) as object[]
      expect(logs).toMatchObject([{ transactionHash: receipt.transactionHash }])
      expect(JSON.parse(await cast('logs', '--json', ...range, event))).toHaveLength(2)
      const gas = await cast(
        'estimate',
        '--block',
        'pending',
        '--from',
        devAccount(1).address,
        vault,
        'needEven(uint256)',
        '8',
      )
      expect(Number(gas)).toBeGreaterThan(21_000)
    })

    test('an account signs over its code to a contract (type 4)', async () => {
      const vault = await deploy(2)
      const receipt = await send(2, devAccount(2).address, 'number()', '--auth', vault)
      expect(receipt).toMatchObject({ type: '0x4', status: '0x1' })
      expect(await cast('code', '--block', 'pending', devAccount(2).address)).toBe(`0xef0100${vault.slice(2)}`)
    })

    test('reverts come back decoded', async () => {
      const vault = await deploy(3)
      const reading = ['call', '--block', 'pending', '--from', devAccount(4).address, vault]
      expect(await complaint(...reading, 'needEven(uint256)', '3')).toContain('number must be even')
      expect(await complaint(...reading, 'needOwner(uint256)', '8')).toContain('0xda472023')
      const sending = ['send', '--private-key', key(4), vault, 'needEven(uint256)', '3']
      expect(await complaint(...sending)).toContain('number must be even')
    })

    test('refusals show the message of the node', async () => {
      await send(5, SOMEBODY, '--value', '1')
      const sending = ['send', SOMEBODY, '--value', '2', '--gas-limit', '21000']
      expect(await complaint(...sending, '--private-key', key(5), '--nonce', '0')).toContain('nonce too low')
      const poor = generatePrivateKey()
      expect(getAddress(privateKeyToAddress(poor))).not.toBe(SOMEBODY)
      expect(await complaint(...sending, '--private-key', poor)).toMatch(/insufficient funds/i)
    })

    test('transactions follow one another at once with the nonce at pending, or each after its seal', async () => {
      const sender = devAccount(8).address
      const hashes = new Set<string>()
      for (const value of ['1', '2']) hashes.add((await send(8, SOMEBODY, '--value', value)).transactionHash)
      // What comes next counts at `latest`, which has them all once another block is sealed: DIFFERENCES.md, 2.
      await cast('rpc', 'evm_mine')
      for (const value of ['3', '4']) {
        const sending = ['send', '--json', '--private-key', key(8), SOMEBODY, '--value', value]
        hashes.add((JSON.parse(await cast(...sending)) as RpcReceipt).transactionHash)
        await cast('rpc', 'evm_mine')
      }
      for (const hash of hashes) {
        const { blockHash } = JSON.parse(await cast('receipt', '--json', hash)) as RpcReceipt
        expect(BigInt(blockHash)).not.toBe(0n)
      }
      expect(hashes.size).toBe(4)
      expect(await cast('nonce', sender)).toBe('4')
    })

    test('the receipt is the answer to sending', async () => {
      const nonce = await cast('nonce', '--block', 'pending', devAccount(9).address)
      const sending = ['send', '--json', '--sync', '--private-key', key(9), '--nonce', nonce, SOMEBODY, '--value', '1']
      const receipt = JSON.parse(await cast(...sending)) as RpcReceipt
      expect(receipt).toMatchObject({ status: '0x1', from: devAccount(9).address.toLowerCase() })
    })

    test('the node signs for a development account', async () => {
      const sender = devAccount(6).address
      const receipt = JSON.parse(
        await cast('send', '--json', '--unlocked', '--from', sender, SOMEBODY, '--value', '1'),
      ) as RpcReceipt
      expect(receipt).toMatchObject({ status: '0x1', from: sender.toLowerCase() })
    })

    test('a proof, an access list and a run of a transaction again', async () => {
      const vault = await deploy(7)
      // `cast run --quick` runs it on the state before its block, which must have the contract.
      await cast('rpc', 'evm_mine')
      const { transactionHash } = await send(7, vault, 'spawn(uint256)', '7')
      // cast reads the block of the transaction, so it must be sealed.
      const sealed = async () => (JSON.parse(await cast('tx', '--json', transactionHash)) as RpcTransaction).blockHash
      await expect.poll(sealed).not.toBeNull()
      const traced = await cast('run', '--quick', transactionHash)
      expect(traced).toContain('number must be even')
      const proof = JSON.parse(await cast('proof', vault, '0x1')) as { storageProof: { value: Hex }[] }
      expect(proof.storageProof).toMatchObject([{ value: '0x5' }])
      const list = await cast('access-list', '--json', vault, 'needEven(uint256)', '8')
      expect(list.toLowerCase()).toContain(vault)
    })

    test('time travels', async () => {
      const age = async () => Number(await cast('block', 'latest', '--field', 'timestamp'))
      const before = await age()
      await cast('rpc', 'evm_increaseTime', '86400')
      await cast('rpc', 'evm_mine')
      expect(await age()).toBeGreaterThanOrEqual(before + 86_400)
    })
  })

  // Blocks of 20 s: flows that pass here do not wait for a seal.
  onBlinknet(
    'cast with latest=preconfirmed',
    (node) => {
      const run = async (...args: readonly string[]) => {
        const { code, output, errors } = await runFoundry(binary, `${node().http}/?latest=preconfirmed`, args)
        expect(code, `cast ${args.join(' ')}: ${errors}`).toBe(0)
        return output
      }
      const key = DEV_KEYS[0]?.privateKey ?? expect.fail('no such account')
      const send = async (...args: readonly string[]) =>
        JSON.parse(await run('send', '--json', '--private-key', key, ...args)) as RpcReceipt

      test('cast sends, deploys, writes and reads within one block, without a nonce given by hand', async () => {
        for (const value of ['1', '2', '3']) {
          expect(await send(SOMEBODY, '--value', value)).toMatchObject({ status: '0x1', blockHash: pad('0x') })
        }
        expect(await run('balance', SOMEBODY)).toBe('6')
        const data = encodeDeployData({ abi: VAULT_ABI, bytecode: VAULT_BYTECODE, args: [5n] })
        const { contractAddress: vault } = await send('--create', data)
        if (!vault) expect.fail('no contract')
        await send(vault, 'set(uint256,string)', '9', 'nine')
        expect(await run('call', vault, 'number()(uint256)')).toBe('9')
        expect(await run('storage', vault, '1')).toBe(pad('0x9'))
        expect(await run('code', vault)).toMatch(/^0x60/u)
        expect(Number(await run('estimate', vault, 'needEven(uint256)', '8'))).toBeGreaterThan(21_000)
        expect(await run('nonce', devAccount(0).address)).toBe('5')
        expect(await run('block-number')).toBe('0')
      })
    },
    { partialsPerBlock: 100 },
  )
})

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mnemonicToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSpec } from '#node/spec/create-spec.ts'
import { DEV_KEYS, DEV_MNEMONIC } from '#rpc-types/dev-keys.ts'
import { parseCommand } from './cli.ts'
import { resolveOptions } from './resolve-options.ts'
import { UsageError } from './usage-error.ts'

/** Test vectors of BIP-39, for 12 and 24 words. */
const TWELVE = 'legal winner thank year wave sausage worth useful legal winner thank yellow'
const TWENTY_FOUR =
  'hamster diagram private dutch cause delay private meat slide toddler razor book happy fancy gospel tennis maple dilemma loan word shrug inflict delay length'

function resolve(...args: readonly string[]) {
  const command = parseCommand(args)
  if (command.kind !== 'run') throw new Error(JSON.stringify(command))
  return resolveOptions(command)
}

function keysOf(mnemonic: string, count: number) {
  return Array.from({ length: count }, (_, addressIndex) => {
    const account = mnemonicToAccount(mnemonic, { addressIndex })
    const privateKey = account.getHdKey().privateKey as Uint8Array
    return { address: account.address.toLowerCase(), privateKey: `0x${Buffer.from(privateKey).toString('hex')}` }
  })
}

describe('accounts', () => {
  test('without options are left to the node, so that a resumed chain keeps its own', async () => {
    expect(await resolve()).toEqual({ options: {}, ownMnemonic: false, notes: [] })
  })

  test('may be set to their defaults', async () => {
    const { options, ownMnemonic } = await resolve('--mnemonic', DEV_MNEMONIC)
    expect(options).toEqual({ accounts: DEV_KEYS.map((key) => ({ ...key, balance: '10000000000000000000000' })) })
    expect(ownMnemonic).toBe(false)
    expect(createSpec(options)).toEqual(createSpec({}))
  })

  test('a smaller number gives the first of them, with the given balance', async () => {
    const { options } = await resolve('--accounts', '2', '--balance', '0.5')
    expect(options.accounts).toEqual(DEV_KEYS.slice(0, 2).map((key) => ({ ...key, balance: '500000000000000000' })))
  })

  test.each([12, 20, 22])('a larger number continues after the ten: %i', async (count) => {
    const { options, ownMnemonic } = await resolve('--accounts', String(count))
    expect(options.accounts).toMatchObject(keysOf(DEV_MNEMONIC, count))
    expect(options.accounts?.slice(0, 10)).toMatchObject(DEV_KEYS)
    expect(ownMnemonic).toBe(false)
  })

  test.each([TWELVE, TWENTY_FOUR])('of a mnemonic are the ones that wallets derive: %s', async (mnemonic) => {
    const { options, ownMnemonic } = await resolve('--mnemonic', mnemonic, '--accounts', '3')
    expect(options.accounts).toMatchObject(keysOf(mnemonic, 3))
    expect(ownMnemonic).toBe(true)
    expect(() => createSpec(options)).not.toThrow()
  })

  test('are as many as the node has that the chain takes on, with any other option of theirs', async () => {
    expect((await resolve('--as', 'hardhat', '--balance', '5')).options.accounts).toHaveLength(20)
    expect((await resolve('--as', 'hardhat', '--accounts', '3')).options.accounts).toHaveLength(3)
    expect((await resolve('--as', 'hardhat')).options).not.toHaveProperty('accounts')
  })

  test('use another path if one is given', async () => {
    const { options, ownMnemonic } = await resolve('--accounts', '2', '--derivation-path', "m/44'/60'/7'/0/")
    const { privateKey } = mnemonicToAccount(DEV_MNEMONIC, { path: "m/44'/60'/7'/0/1" }).getHdKey()
    expect(options.accounts?.[1]?.privateKey).toBe(`0x${Buffer.from(privateKey as Uint8Array).toString('hex')}`)
    expect(ownMnemonic).toBe(false)
  })

  test.each([12, 24])('may come from a random mnemonic of %d words, a new one each time', async (words) => {
    const [one, other] = await Promise.all([
      resolve('--mnemonic-random', String(words), '--accounts', '1'),
      resolve('--mnemonic-random', String(words), '--accounts', '1'),
    ])
    expect(one.newMnemonic?.split(' ')).toHaveLength(words)
    expect(one.newMnemonic).not.toBe(other.newMnemonic)
    expect(one.options.accounts).toMatchObject(keysOf(one.newMnemonic ?? '', 1))
    expect(one.ownMnemonic).toBe(true)
  })

  test('a mnemonic may be written with capitals and line breaks', async () => {
    const { options } = await resolve(
      '--mnemonic',
      `  ${TWELVE.toUpperCase().replaceAll(' ', '\n ')} `,
      '--accounts',
      '1',
    )
    expect(options.accounts).toMatchObject(keysOf(TWELVE, 1))
    expect(await resolve('--mnemonic', DEV_MNEMONIC.toUpperCase())).toMatchObject({ ownMnemonic: false })
  })

  test.each([
    [TWELVE.replace('yellow', ''), '--mnemonic takes 12, 15, 18, 21 or 24 words, not 11.'],
    [TWELVE.replace('wave', 'wafe'), 'Word 5 of --mnemonic is not in the English list of BIP-39.'],
    [TWELVE.replace('yellow', 'zoo'), 'The words of --mnemonic do not fit together'],
    [TWENTY_FOUR.replace('length', 'zoo'), 'The words of --mnemonic do not fit together'],
  ])('the mnemonic "%s" is refused', async (mnemonic, message) => {
    const refused = resolve('--mnemonic', mnemonic)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(message)
  })
})

describe('the genesis file', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'blinknet-genesis-'))
  })
  afterAll(() => rm(folder, { recursive: true }))

  async function file(content: string): Promise<string> {
    const name = path.join(folder, 'genesis.json')
    await writeFile(name, content)
    return name
  }
  const ENTRY = { '00000000000000000000000000000000000000aa': { balance: '0x1' } }

  test('may be geth’s: its accounts and chain id are used, and unused fields are named', async () => {
    const geth = { config: { chainId: 99, londonBlock: 0 }, difficulty: '0x1', gasLimit: '0x0', alloc: ENTRY }
    const name = await file(JSON.stringify(geth))
    const { options, notes } = await resolve('--genesis', name)
    expect(options).toMatchObject({ chainId: 99, genesis: ENTRY })
    expect(notes).toEqual([`Block 0 has the accounts of ${name}.`, 'Not used from that file: difficulty, gasLimit.'])
    expect(createSpec(options).alloc).toHaveProperty('0x00000000000000000000000000000000000000aa', { balance: 1n })
  })

  test('gives way to the command line', async () => {
    const name = await file(JSON.stringify({ config: { chainId: 99 }, alloc: {} }))
    expect(await resolve('--genesis', name, '--chain-id', '7')).toMatchObject({ options: { chainId: 7 } })
  })

  test('is applied to a chain without the CREATE2 deployer', async () => {
    const DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c'
    const without = await resolve('--disable-default-create2-deployer')
    expect(createSpec(without.options).alloc[DEPLOYER]).toMatchObject({
      nonce: 0n,
      balance: 0n,
      code: new Uint8Array(0),
    })
    const name = await file(JSON.stringify({ ...ENTRY, '4E59b44847b379578588920ca78fbf26c0b4956c': { nonce: '0x9' } }))
    const both = await resolve('--disable-default-create2-deployer', '--genesis', name)
    expect(createSpec(both.options).alloc[DEPLOYER]).toMatchObject({ nonce: 9n })
  })

  test('may contain accounts only', async () => {
    const name = await file(`\uFEFF${JSON.stringify(ENTRY)}`)
    const { options, notes } = await resolve('--genesis', name)
    expect(options).toMatchObject({ genesis: ENTRY })
    expect(options).not.toHaveProperty('chainId')
    expect(notes).toEqual([`Block 0 has the accounts of ${name}.`])
  })

  test.each([
    ['{', 'genesis.json is not JSON: '],
    ['[]', 'genesis.json must hold an object'],
    ['{"alloc":[]}', 'genesis.json: "alloc" must be an object of accounts by their address.'],
    ['{"alloc":{},"config":{"chainId":"0x1"}}', 'genesis.json: "config.chainId" must be a number.'],
  ])('that holds %s is refused', async (content, message) => {
    const refused = resolve('--genesis', await file(content))
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(message)
  })

  test('is refused if it does not exist or is a folder', async () => {
    await expect(resolve('--genesis', path.join(folder, 'none'))).rejects.toThrow(/^There is no file .*none/)
    await expect(resolve('--genesis', folder)).rejects.toThrow(`${folder} cannot be read (--genesis or --init): EISDIR`)
  })

  test('is refused if it is larger than any, as a device without an end is', async () => {
    await expect(resolve('--genesis', '/dev/zero')).rejects.toThrow('/dev/zero has more than 33554432 bytes')
  })
})

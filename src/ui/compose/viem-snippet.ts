import { DEV_ACCOUNTS, type DevAddress } from '#client/signing/dev-accounts.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { IN_PAGE } from '#ui/format/elsewhere.ts'
import type { SenderChoice } from '#ui/own/sender.ts'
import { type CompleteTransaction, toViem } from './complete.ts'

const CLIENT = [IN_PAGE, 'const client = createPublicClient({ transport: custom(window.devnet) })']

/** Code for viem that signs and sends the same bytes; that of another account is sent impersonated. */
export function viemSnippet(tx: CompleteTransaction, { index, other }: SenderChoice): string {
  const account = DEV_ACCOUNTS[index]
  if (other === 'undecided' || !account) return ''
  return other === undefined ? signingSnippet(tx, account) : impersonatingSnippet(tx, other)
}

function fieldLines(tx: CompleteTransaction, without?: string): readonly string[] {
  const shown = tx.delegation ? { ...toViem(tx), type: 'eip7702' } : toViem(tx)
  return Object.entries(shown)
    .filter(([name]) => name !== without)
    .map(([name, value]) => `  ${name}: ${literal(value)},`)
}

function impersonatingSnippet(tx: CompleteTransaction, account: Address): string {
  return [
    "import { createTestClient, createWalletClient, custom } from 'viem'",
    ...(tx.delegation ? ["import { privateKeyToAccount } from 'viem/accounts'"] : []),
    '',
    IN_PAGE,
    'const transport = custom(window.devnet)',
    `const account = '${account}' // without its key`,
    "await createTestClient({ mode: 'anvil', transport }).impersonateAccount({ address: account })",
    'const hash = await createWalletClient({ transport }).sendTransaction({',
    '  account,',
    '  chain: null,',
    // viem compares it with the chain, of which there is none here.
    ...fieldLines(tx, 'chainId'),
    ...authorizationLines(tx),
    '})',
    '',
  ].join('\n')
}

function signingSnippet(tx: CompleteTransaction, account: DevAddress): string {
  return [
    "import { createPublicClient, custom } from 'viem'",
    "import { privateKeyToAccount } from 'viem/accounts'",
    '',
    `// ${account.name}: a public test key. Never send anything of value to it.`,
    'const account = privateKeyToAccount(',
    `  '${account.privateKey}',`,
    ')',
    ...CLIENT,
    'const serializedTransaction = await account.signTransaction({',
    ...fieldLines(tx),
    ...authorizationLines(tx),
    '})',
    'const hash = await client.sendRawTransaction({ serializedTransaction })',
    '',
  ].join('\n')
}

function authorizationLines({ delegation, chainId }: CompleteTransaction): readonly string[] {
  if (!delegation) return []
  const { authority, code, nonce } = delegation
  const key = DEV_ACCOUNTS[authority]?.privateKey
  return [
    '  authorizationList: [',
    `    await privateKeyToAccount('${key}').signAuthorization({ address: '${code}', chainId: ${chainId}, nonce: ${nonce} }),`,
    '  ],',
  ]
}

/** Code for viem that sends bytes signed elsewhere. */
export function rawSnippet(raw: Hex): string {
  return [
    "import { createPublicClient, custom } from 'viem'",
    '',
    ...CLIENT,
    `const hash = await client.sendRawTransaction({ serializedTransaction: '${raw}' })`,
    '',
  ].join('\n')
}

function literal(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return `'${value}'`
  return JSON.stringify(value)
}

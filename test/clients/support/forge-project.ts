import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Address, Hash, Hex } from '#primitives/hex.ts'
import type { RpcReceipt } from '#rpc-types/objects.ts'

const SCRIPT = 'DeployShelf.s.sol'
const SOLC = fileURLToPath(new URL('./solc.mjs', import.meta.url))
const CONFIGURATION = `[profile.default]
src = "."
script = "."
evm_version = "osaka"
solc = ${JSON.stringify(SOLC)}
offline = true
`

/** The part of the file written by `forge script --broadcast` that the tests read. */
export interface ForgeBroadcast {
  readonly transactions: readonly {
    readonly hash: Hash
    readonly transactionType: 'CREATE' | 'CREATE2' | 'CALL'
    readonly contractAddress: Address
    readonly transaction: { readonly nonce: Hex }
  }[]
  readonly receipts: readonly RpcReceipt[]
  /** By name in the script. */
  readonly returns: Readonly<Record<string, { readonly value: string }>>
}

/** A forge project in its own directory, with this folder's script and without forge-std. */
export interface ForgeProject {
  readonly directory: string
  /** `file:contract` of the script, and of the contract that it deploys. */
  readonly script: string
  readonly contract: string
  /** The broadcast file of the last run. */
  broadcast(): Promise<ForgeBroadcast>
}

/** Creates the project before the tests of the enclosing describe block, and removes it afterwards. */
export function useForgeProject(): () => ForgeProject {
  let directory: string | undefined
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'blinknet-forge-'))
    await copyFile(new URL('./DeployShelf.s.sol', import.meta.url), join(directory, SCRIPT))
    await writeFile(join(directory, 'foundry.toml'), CONFIGURATION)
  })
  afterAll(async () => {
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  })
  return () => {
    const root = directory ?? expect.fail('the project is there only while tests run')
    return {
      directory: root,
      script: `${SCRIPT}:DeployShelf`,
      contract: `${SCRIPT}:Shelf`,
      broadcast: async () =>
        JSON.parse(
          await readFile(join(root, 'broadcast', SCRIPT, '31337', 'run-latest.json'), 'utf8'),
        ) as ForgeBroadcast,
    }
  }
}

import type { Abi } from 'viem'
import { keccak256 } from 'viem'
import { builds } from '#client/builds/builds.ts'
import { completions } from '#client/builds/completions.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import { SolidityError, solidityReader } from '#client/solidity-reader.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import type { KnownContract } from '#ui/decode/known-contracts.ts'
import { isAbi } from '#ui/decode/parse-abi.ts'
import { isCodeOf, WELL_KNOWN } from '#ui/decode/well-known.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { buildsOf } from './known-builds.ts'
import { contractsBehind, delegates, findProxy } from './proxies.ts'
import type { CodeStanding, Where } from './standing.ts'

/** Milliseconds after which the builds are asked again for a code that none of them had: the node may have got one. */
const AGAIN_MS = 15_000
/** Codes whose contracts are remembered; the oldest go first. */
const MOST_CODES = 500

/** Contracts by their code: one object for each, so that a second look changes nothing. */
const identified = new Map<string, { readonly contract: KnownContract | undefined; readonly atMs: number }>()
const wellKnown = new Map<Address, KnownContract>()

for (const { changes } of [builds, completions]) changes.subscribe(() => identified.clear())

/** Counts up whenever the page gets a build, which may be that of a code that none had before. */
export function buildCount(): number {
  return builds.changes.get() + completions.changes.get()
}

/** Whether what is told of unchanged code may be another thing a little later: it runs other code, or nothing was found. */
export function mayChange(code: Hex): boolean {
  return delegates(code) || !identified.get(keccak256(code))?.contract
}

/** Tells what stands at an address. @throws {ProviderRpcError} */
export async function identify(where: Where, address: Address, code: Hex): Promise<CodeStanding> {
  const codeHash = keccak256(code)
  const contract = (await wellKnownContract(address, code)) ?? (await recognise(where, address, code))
  const behind = delegates(code) ? contractsBehind(await findProxy(where.provider, address)) : []
  return { codeHash, contract, behind }
}

async function recognise(where: Where, address: Address, code: Hex): Promise<KnownContract | undefined> {
  const key = keccak256(code)
  const before = identified.get(key)
  if (before && (before.contract || performance.now() < before.atMs + AGAIN_MS)) return before.contract
  const contract = await findInBuilds(where, address, code)
  identified.delete(key)
  identified.set(key, { contract, atMs: performance.now() })
  const [oldest] = identified.keys()
  if (identified.size > MOST_CODES && oldest !== undefined) identified.delete(oldest)
  return contract
}

async function findInBuilds({ provider, chain, devnet }: Where, address: Address, code: Hex) {
  try {
    const sources = await buildsOf(provider, chain, devnet).find([{ address, code, isCreation: false }])
    const found = sources.length === 0 ? undefined : await solidityReader.ask('identify', sources, { code })
    // What somebody only says of a code is not told of others with the same code.
    const isCertain = found && (!found.claimed || (found.claimed === 'by hash' && found.isExact))
    return isCertain && isAbi(found.abi)
      ? { name: othersText(found.name, LONGEST_NAME), abi: found.abi as Abi }
      : undefined
  } catch (error) {
    if (error instanceof SolidityError || error instanceof ProviderRpcError) return undefined
    throw error
  }
}

/** A well-known contract, if it is its code. */
export async function wellKnownContract(address: Address, code: Hex): Promise<KnownContract | undefined> {
  const known = WELL_KNOWN.get(address)
  if (!known || !isCodeOf(known, code)) return undefined
  const { name, loadAbi, about, isDeployer = false } = known
  const contract = wellKnown.get(address) ?? { name, abi: (await loadAbi?.()) ?? [], wellKnown: { about, isDeployer } }
  wellKnown.set(address, contract)
  return contract
}

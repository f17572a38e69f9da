import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Chain } from '#library/chain.ts'
import type { Address } from '#primitives/hex.ts'
import type { PackedCompilation } from '#report/report-file.ts'
import type { RpcAccountPage } from '#rpc-types/chain-lists.ts'

/** Contracts that are looked at: the first of a chain's state. */
const MAX_CONTRACTS = 200
/** Bytes of all compilations in a report, packed. */
const MAX_PACKED_BYTES = 1_500_000
/** Characters of a compilation's JSON: packing takes time by it. */
const MAX_CHARACTERS = 32_000_000

const packed = promisify(gzip)

/** The compilations that the contracts of chains come from, as their nodes know them, each once: JSON packed with gzip. */
export async function buildsOf(chains: readonly Pick<Chain, 'request'>[]): Promise<readonly Uint8Array[]> {
  const builds: Uint8Array[] = []
  const known = new Set<string>()
  let bytes = 0
  for (const chain of chains) {
    for (const address of await contractsOf(chain)) {
      const build = await chain.request({ method: 'devnet_getBuild', params: [address] })
      if (!build) continue
      const compilation: PackedCompilation = [build.compiler, build.input, build.output]
      const input = JSON.stringify([build.compiler, build.input])
      if (known.has(input)) continue
      known.add(input)
      const json = JSON.stringify(compilation)
      if (json.length > MAX_CHARACTERS) continue
      const file = await packed(json)
      if (bytes + file.byteLength > MAX_PACKED_BYTES) continue
      bytes += file.byteLength
      builds.push(file)
    }
  }
  return builds
}

async function contractsOf(chain: Pick<Chain, 'request'>): Promise<readonly Address[]> {
  const found: Address[] = []
  let after: Address | null | undefined
  do {
    const { accounts, next }: RpcAccountPage = await chain.request({
      method: 'devnet_listAccounts',
      params: after ? [{ isContract: true }, after] : [{ isContract: true }],
    })
    for (const { address } of accounts) found.push(address)
    after = next
  } while (after && found.length < MAX_CONTRACTS)
  return found.slice(0, MAX_CONTRACTS)
}

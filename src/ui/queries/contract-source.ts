import { useQuery } from '@tanstack/react-query'
import { solidityReader } from '#client/solidity-reader.ts'
import type { Address, Hex } from '#primitives/hex.ts'
import { useKnownBuilds } from './known-builds.ts'

/** Milliseconds for which the source of a contract that nothing shows is kept. */
const KEPT_MS = 30_000

/**
 * The contract whose code it is, from the builds that the page keeps or the node knows; looked up again when the page
 * gets a build, and when it is shown anew after nothing was found: the node may have read artifacts since.
 */
export function useContractSource(address: Address, code: Hex) {
  const builds = useKnownBuilds()
  return useQuery({
    queryKey: ['contract source', ...builds.key, address, code],
    queryFn: async ({ signal }) => {
      const sources = await builds.find([{ address, code, isCreation: false }], signal)
      return (await solidityReader.ask('recognise', sources, { code }, signal)) ?? null
    },
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    gcTime: KEPT_MS,
    structuralSharing: false,
  })
}

/**
 * The contract that a transaction creates, from the same builds, and the arguments of its constructor.
 *
 * @param address - The created account; the zero address until it is known.
 */
export function useCreation(address: Address, initcode: Hex) {
  const builds = useKnownBuilds()
  return useQuery({
    queryKey: ['creation', ...builds.key, address, initcode],
    queryFn: async ({ signal }) => {
      const sources = await builds.find([{ address, code: initcode, isCreation: true }], signal)
      return (await solidityReader.ask('creation', sources, { initcode }, signal)) ?? null
    },
    staleTime: ({ state }) => (state.data ? Number.POSITIVE_INFINITY : 0),
    gcTime: KEPT_MS,
    structuralSharing: false,
  })
}

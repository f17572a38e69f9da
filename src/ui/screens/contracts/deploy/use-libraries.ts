import { useState } from 'react'
import type { BlinknetProvider } from '#client/session/provider.ts'
import type { CompiledContract, Files } from '#compiler/messages.ts'
import type { Address } from '#primitives/hex.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { parseRecipient } from '#ui/own/transfer-form.ts'
import { deployLibrary } from './deploy.ts'
import { type Links, type NeededLibrary, neededLibraries } from './link-libraries.ts'

/** Progress of deploying libraries. */
export interface LibraryProgress {
  readonly name: string
  /** From 1. */
  readonly nth: number
  readonly count: number
}

/** The libraries that a contract needs: their fields, and their deployment before the contract's. */
export function useLibraries(contract: CompiledContract, contracts: readonly CompiledContract[], files: Files) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map())
  const [checked, setChecked] = useState(false)
  const [progress, setProgress] = useState<LibraryProgress>()
  const textOf = (key: string) => (texts.get(key) ?? '').trim()
  const given = new Set([...texts.keys()].filter((key) => textOf(key) !== ''))
  const needed = neededLibraries(contract, contracts, given)
  const problems = new Map(needed.flatMap((library) => problemWith(library, textOf(library.key))))

  function setText(key: string, text: string): void {
    setTexts((before) => new Map(before).set(key, text))
  }

  /** Deploys those that have no address. @throws {ExplainedError} @throws {ProviderRpcError} */
  async function link(provider: BlinknetProvider, signal: AbortSignal): Promise<Links> {
    const links = new Map<string, Address>()
    for (const { key } of needed) if (given.has(key)) links.set(key, textOf(key).toLowerCase() as Address)
    await Promise.all([...links.values()].map((address) => requireCode(provider, address)))
    const missing = needed.filter(({ key }) => !given.has(key))
    try {
      for (const [i, { key, name, contract: library }] of missing.entries()) {
        if (!library) continue
        const order = { contract: library, source: files[library.file], links }
        const onSent = () => setProgress({ name, nth: i + 1, count: missing.length })
        const address = await deployLibrary(provider, order, signal, onSent)
        links.set(key, address)
        // So that the next deployment reuses it.
        setText(key, address)
      }
    } finally {
      setProgress(undefined)
    }
    return links
  }

  return {
    needed,
    textOf: (key: string) => texts.get(key) ?? '',
    setText,
    problems,
    checked,
    setChecked,
    progress,
    link,
  }
}

function problemWith({ key, contract }: NeededLibrary, text: string): readonly (readonly [string, string])[] {
  if (text === '') return contract ? [] : [[key, 'Enter the library’s address: it cannot be deployed from here.']]
  const parsed = parseRecipient(text)
  return parsed.ok ? [] : [[key, parsed.error]]
}

async function requireCode(provider: BlinknetProvider, address: Address): Promise<void> {
  const code = await provider.request({ method: 'eth_getCode', params: [address, 'pending'] })
  if (code !== '0x') return
  throw new ExplainedError(
    `There is no library at ${address}.`,
    'That address has no code. Correct it, or leave the field empty to deploy the library first.',
  )
}

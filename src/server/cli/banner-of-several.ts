import type { ChainSpec } from '#node/spec/chain-spec.ts'
import { createSpec } from '#node/spec/create-spec.ts'
import { VERSION } from '#rpc-types/version.ts'
import {
  accountLines,
  addressLines,
  authority,
  type BannerCommand,
  RUNS_AHEAD,
  runsAhead,
  shownHost,
  timeInWords,
} from './banner.ts'
import type { RunCommand } from './cli.ts'
import type { ResolvedOptions } from './resolve-options.ts'

/** One of several chains, as it was opened. */
export interface NamedDescription {
  readonly name: string
  readonly command: RunCommand
  readonly resolved: ResolvedOptions
}

/** The first lines of a server of several chains: the accounts, once where they are the same, each chain, and where. */
export function bannerOfSeveral(command: BannerCommand, chains: readonly NamedDescription[]): string {
  const url = `http://${authority(shownHost(command), command.port)}`
  const width = Math.max(...chains.map(({ name }) => name.length))
  const described = chains.map((chain) => ({ ...chain, spec: createSpec(chain.resolved.options) }))
  const lines = described.flatMap(({ name, command: own, resolved, spec }) => {
    return [
      `${name.padEnd(width)}  ${url}/${name}  chain id ${spec.chainId}; ${timeInWords(own, resolved, spec)}.`,
      ...resolved.notes.map((note) => `${' '.repeat(width)}  ${note}`),
    ]
  })
  const [first] = chains
  return [
    `Blinknet ${VERSION}`,
    '',
    ...accountsOf(described),
    '',
    ...lines,
    ...(described.some(({ command: own, spec }) => runsAhead(own, spec)) ? [RUNS_AHEAD] : []),
    ...addressLines(command),
    `Without a path, an address is that of ${first?.name}.`,
  ].join('\n')
}

/** The accounts of all chains; those with the same ones share a heading. */
function accountsOf(chains: readonly (NamedDescription & { readonly spec: ChainSpec })[]): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const { name, resolved, spec } of chains) {
    const text = accountLines(resolved, spec).join('\n')
    groups.set(text, [...(groups.get(text) ?? []), name])
  }
  if (groups.size === 1) return [...groups.keys()]
  return [...groups].flatMap(([text, names]) => [`Accounts of ${names.join(', ')}:`, text])
}

import { useQuery } from '@tanstack/react-query'
import { nodeOptionsFromUrl } from '#client/node/node-options-from-url.ts'
import { ProviderRpcError } from '#client/session/provider.ts'
import type { NodeSession } from '#client/session/session.ts'
import { ERROR_CODES } from '#rpc-types/error-codes.ts'
import { useFeed } from '#ui/feed/store.ts'
import { ExplainedError } from '#ui/format/explain-error.ts'
import { pageBase } from '#ui/page/page-base.ts'
import { useSession } from '#ui/page/session.ts'
import { recordScenario, tooLong } from './record-scenario.ts'
import { isRepeatable } from './replay-scenario.ts'
import { packScenario, type Scenario } from './scenario.ts'
import { optionsInForce, SCENARIO_PREFIX, shareAddress } from './share-address.ts'

/** What can be shared of a chain. */
export interface Share {
  readonly address: string
  /** Why opening the address does not give the same blocks; `undefined` if a trial run showed that it does. */
  readonly short: ExplainedError | undefined
}

/**
 * The address of the chain as it is now, checked on a second chain first.
 *
 * @param path - The screen that it opens.
 */
export function useShare(path: string) {
  const session = useSession()
  const live = useFeed((feed) => `${feed.live?.number}:${feed.live?.index}`)
  return useQuery({
    queryKey: ['share', path, live],
    queryFn: () => prepareShare(session, path),
    placeholderData: (previous) => previous,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
}

async function prepareShare(session: NodeSession, path: string): Promise<Share> {
  const { provider, fork } = session
  if (fork) return { address: await forkAddress(session), short: FORK_ONLY }
  const page = `${location.origin}${pageBase().replace(/\/$/, '')}${path}`
  const chain = shareAddress(page, optionsInForce(await provider.request({ method: 'devnet_status' })), undefined)
  try {
    const scenario = await recordScenario(provider)
    const packed = await packScenario(scenario)
    if (packed === undefined) throw tooLong('Its transactions take too many characters.')
    // Uses the options in the address, as whoever opens it will.
    await requireRepeatable(scenario, nodeOptionsFromUrl(new URL(chain).search).options)
    return { address: `${chain}${SCENARIO_PREFIX}${packed}`, short: undefined }
  } catch (error) {
    if (!(error instanceof ExplainedError)) throw error
    return { address: chain, short: error }
  }
}

const FORK_ONLY = new ExplainedError(
  'Your own blocks are not part of it.',
  'The link contains that of the endpoint, with its key if it has one: whoever opens it uses that endpoint. To share your blocks as well, export the fork as a file. It opens without the endpoint.',
)

/** The fork itself, without what was done on it: `?fork=URL@BLOCK`, and where its time begins. */
async function forkAddress({ provider, fork }: NodeSession): Promise<string> {
  const { fork: now, options } = await provider.request({ method: 'devnet_status' })
  const query = new URLSearchParams({ fork: `${fork?.endpoint.url}@${Number(now?.number ?? fork?.blockNumber)}` })
  if (options?.forkTime === 'now') query.set('forkTime', 'now')
  return `${location.origin}${import.meta.env.BASE_URL}?${query}`
}

async function requireRepeatable(scenario: Scenario, options: Parameters<typeof isRepeatable>[1]): Promise<void> {
  try {
    if (await isRepeatable(scenario, options)) return
  } catch (error) {
    // The second chain refused: something besides transactions changed this one.
    if (!(error instanceof ProviderRpcError) || error.code === ERROR_CODES.disconnected) throw error
  }
  throw new ExplainedError(
    'This chain cannot be repeated by its transactions alone.',
    'A trial run on a second chain gave a different result. Something else has changed this one: the faucet, a fault, ' +
      'an edited state, other timing or an option that an address cannot have. Save a film to share it exactly.',
  )
}

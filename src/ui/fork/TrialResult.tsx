import { useMutation } from '@tanstack/react-query'
import { forkEndpoint } from '#client/fork/fork-endpoint.ts'
import { type EndpointTrial, tryEndpoint } from '#client/fork/try-endpoint.ts'
import type { ForkedChain } from '#client/session/remote-endpoint.ts'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { othersText } from '#ui/format/contract-text.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Fork.module.css'
import { explainTrial, findingsOf } from './fork-words.ts'

const css = classNames(styles)

/** Asks an endpoint what it can do, when told to. */
export function useTrial(chain: ForkedChain) {
  return useMutation({
    async mutationFn(): Promise<EndpointTrial> {
      const endpoint = forkEndpoint(chain.endpoint, location.protocol, 0)
      try {
        return await tryEndpoint(endpoint, chain)
      } catch (error) {
        throw explainTrial(error, location.origin)
      } finally {
        endpoint.close()
      }
    },
  })
}

/** What was found out, or why nothing could be. */
export function TrialResult({ trial }: { trial: ReturnType<typeof useTrial> }) {
  if (trial.isPending) return <p role="status">Asking the endpoint what it can do…</p>
  if (trial.error) return <ErrorNote error={trial.error} />
  if (!trial.data) return null
  return (
    <ul aria-label="What the endpoint can do" className={css('findings')}>
      {findingsOf(trial.data).map(({ can, what, why }) => (
        <li key={what} className={css('finding')}>
          <span aria-hidden="true" className={css('icon', can && 'can')}>
            {can ? '✓' : '✕'}
          </span>
          <p className={css('what')}>{what}</p>
          <p className={`${css('why')} note`}>{othersText(why)}</p>
        </li>
      ))}
    </ul>
  )
}

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { Hex } from '#primitives/hex.ts'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Panel } from '#ui/components/layout/Panel.tsx'
import { useDraft } from '#ui/compose/draft.ts'
import { NOT_BYTES, readPastedBytes } from '#ui/compose/read-draft.ts'
import { rawSnippet } from '#ui/compose/viem-snippet.ts'
import { submitForeign } from '#ui/own/submit-raw.ts'
import { useProvider } from '#ui/page/session.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './Composer.module.css'
import { DraftField } from './DraftField.tsx'
import { keepSent } from './last-sent.ts'
import { Sent } from './Sent.tsx'
import { SignedPreview } from './SignedPreview.tsx'

const css = classNames(styles)

/** Sends bytes signed elsewhere; the node decides whether they are valid. */
export function RawComposer() {
  const provider = useProvider()
  const text = useDraft((draft) => draft.raw)
  const [checked, setChecked] = useState(false)
  const raw = readPastedBytes(text)
  const empty = raw === undefined || raw === '0x'
  const {
    mutate,
    reset,
    data: hash,
    error,
    isPending,
  } = useMutation({
    mutationFn: (bytes: Hex) => submitForeign(provider, bytes),
    onSuccess: (sent) => keepSent(provider, { hashes: [sent], failure: undefined }),
  })

  function submit(event: FormEvent): void {
    event.preventDefault()
    setChecked(true)
    reset()
    keepSent(provider, undefined)
    if (raw !== undefined && !empty) mutate(raw)
  }

  const problem = raw === undefined ? NOT_BYTES : 'Paste the bytes of a signed transaction.'
  return (
    <>
      <div className={css('pair')}>
        <div className={css('made')}>
          <Panel title="Transaction" about="Signed elsewhere">
            <form className={css('form')} onSubmit={submit} noValidate>
              <DraftField
                name="raw"
                label="Signed bytes in hex"
                look="area"
                hint="As for eth_sendRawTransaction. Spaces and line breaks are ignored."
                error={(checked && empty) || raw === undefined ? problem : undefined}
              />
              {error && (
                <div className={css('wide')}>
                  <ErrorNote error={error} />
                </div>
              )}
              <div className={css('wide', 'actions')}>
                <Button type="submit" look="primary" disabled={isPending}>
                  Send
                </Button>
              </div>
            </form>
          </Panel>
          <Sent isNew={hash !== undefined} />
        </div>
        <SignedPreview
          raw={empty ? undefined : raw}
          snippet={empty ? undefined : rawSnippet(raw)}
          waitingFor="Paste bytes to see their fields."
        />
      </div>
    </>
  )
}

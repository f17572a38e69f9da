import { useEffect } from 'react'
import { Button } from '#ui/components/Button.tsx'
import { ErrorNote } from '#ui/components/ErrorNote.tsx'
import { Kbd } from '#ui/components/Kbd.tsx'
import { formatEth } from '#ui/format/numbers.ts'
import { useSender } from '#ui/own/sender.ts'
import { prepareSending, QUICK_VALUE, quickRecipient, useSend } from '#ui/own/use-send.ts'
import { useShortcut } from '#ui/page/use-shortcut.ts'
import { classNames } from '#ui/styles/class-names.ts'
import styles from './SendButton.module.css'

const css = classNames(styles)

/**
 * The primary action: sends a small transfer at once.
 *
 * @param hint - Whether to say what it sends.
 */
export function SendButton({ hint = true }: { hint?: boolean }) {
  const { mutate, error } = useSend()
  const sender = useSender((state) => state.index)
  const send = () => mutate({ to: quickRecipient(sender), value: QUICK_VALUE })
  useShortcut('s', send)
  useEffect(prepareSending, [])
  return (
    <div className={css('action')}>
      <Button look="primary" size="large" onClick={send} aria-keyshortcuts="s">
        Send transaction <Kbd>S</Kbd>
      </Button>
      {hint && (
        <p className={`${css('hint')} note`}>
          {formatEth(QUICK_VALUE, 2)} from Account {sender}, a public test account
        </p>
      )}
      {error && <ErrorNote error={error} />}
    </div>
  )
}

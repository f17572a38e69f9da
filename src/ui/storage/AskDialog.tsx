import { Button } from '#ui/components/Button.tsx'
import { Dialog } from '#ui/components/dialog/Dialog.tsx'
import { useFeed } from '#ui/feed/store.ts'
import { LONGEST_NAME, othersText } from '#ui/format/contract-text.ts'
import { formatCount, formatInteger } from '#ui/format/numbers.ts'
import { useSession } from '#ui/page/session.ts'
import type { ChainAction } from './chain-actions.ts'
import { formatBytes } from './format-bytes.ts'
import type { FoundFile } from './sniff-file.ts'

interface Question {
  readonly title: string
  /** The state afterwards. */
  readonly what: string
  /** The part that will be lost. */
  readonly lost: string
  readonly agree: string
}

const NOT_INTO_FORK =
  'A fork cannot become another chain: to import the file, go back to the built-in chain, and import it there.'

/** Asks for confirmation before something is replaced. */
export function AskDialog({
  action,
  onAgree,
  onCancel,
  onWatch,
}: {
  action: ChainAction
  onAgree: () => void
  onCancel: () => void
  /** Left out if the file cannot be watched as a film. */
  onWatch?: () => void
}) {
  const { chain, fork } = useSession()
  const height = useFeed((feed) => feed.sealed[0]?.number)
  const present = `${fork ? 'the fork’s own blocks' : chain === undefined ? 'the chain of this page' : `the chain “${chain}”`}${
    height === undefined || fork ? '' : `, which is at block ${formatInteger(height)}`
  }`
  const isRefused = fork !== undefined && action.kind === 'import' && action.found.kind === 'chain'
  const { title, what, lost, agree } = questionOf(action, present, onWatch !== undefined, fork !== undefined)
  return (
    <Dialog
      title={title}
      onDismiss={onCancel}
      actions={
        <>
          <Button onClick={onCancel}>Cancel</Button>
          {!isRefused && (
            <Button look={onWatch ? 'plain' : 'primary'} onClick={onAgree}>
              {agree}
            </Button>
          )}
          {onWatch && (
            <Button look="primary" onClick={onWatch}>
              Watch as a film
            </Button>
          )}
        </>
      }
    >
      <p>{what}</p>
      {onWatch && (
        <p>
          As a film it is read-only, with a slider over all its partial blocks, and nothing of it is stored. Your own
          chain runs on meanwhile.
        </p>
      )}
      <p>{isRefused ? NOT_INTO_FORK : onWatch ? `Replacing overwrites your chain. ${lost}` : lost}</p>
    </Dialog>
  )
}

function questionOf(action: ChainAction, present: string, mayWatch: boolean, isFork: boolean): Question {
  if (action.kind === 'import') return questionOfImport(action.found, present, mayWatch)
  return {
    title: 'Start fresh?',
    what: isFork
      ? 'The fork starts over after its block, with what was fetched so far.'
      : 'A new chain starts at block 0, with the options in the page’s URL.',
    lost: `Lost for good: ${present}. Export it first if you want to keep it.`,
    agree: 'Erase and start fresh',
  }
}

function questionOfImport(found: FoundFile, present: string, mayWatch: boolean): Question {
  switch (found.kind) {
    case 'chain':
      return {
        title: mayWatch ? 'Watch this chain, or replace yours with it?' : 'Replace the chain?',
        what: `The file is a Blinknet chain, ${formatBytes(found.file.length)} unpacked. The node checks it block by block first.`,
        lost: `${mayWatch ? 'It' : 'This'} replaces ${present}. You lose that chain for good unless you export it first.`,
        agree: 'Replace the chain',
      }
    case 'state':
      return {
        title: 'Replace the state?',
        what: `The file is a Blinknet state with ${countOf(found.state.accounts)}.`,
        lost: 'This replaces every account from the pending block on. Blocks and transactions stay.',
        agree: 'Replace the state',
      }
    case 'anvil-state':
      return {
        title: 'Load anvil’s state?',
        what: `The file is an anvil state dump with ${countOf(found.state.accounts)}. Blocks and transactions in it are ignored.`,
        lost: 'Accounts with the same addresses are replaced. Everything else stays.',
        agree: 'Load the state',
      }
    case 'genesis':
      return {
        title: 'Start over from this genesis?',
        what: `The file is a genesis with ${countOf(found.genesis)}${
          found.chainId === undefined ? '' : ` for chain id ${othersText(String(found.chainId), LONGEST_NAME)}`
        }. They are added to the development accounts and the preinstalled contracts, and replace those with the same address.${
          found.unused.length === 0 ? '' : ` Ignored: ${othersText(found.unused.join(', '))}.`
        }`,
        lost: `Lost for good: ${present}. Export it first if you want to keep it.`,
        agree: 'Erase and start over',
      }
  }
}

function countOf(accounts: object): string {
  return formatCount(Object.keys(accounts).length, 'account')
}

import { OtherOptionsError } from '#node/persistence/chain-record.ts'
import { OPTION_FLAGS } from './option-flags.derived.ts'

/**
 * The message of an error. If it is, or comes from, an option that differs from the stored chain's, the flag that sets the
 * option stands beside its name.
 *
 * @param folder - Where the chain is, if that is `--data`: it is named, too.
 */
export function explainOtherOptions(error: Error, folder?: string): string {
  const cause = error instanceof OtherOptionsError ? error : error.cause
  if (!(cause instanceof OtherOptionsError)) return error.message
  const { option } = cause
  const flag = OPTION_FLAGS.find((each) => each.option === option)
  const message = flag ? error.message.replace(flag.option, () => `${flag.option} (--${flag.name})`) : error.message
  return folder === undefined ? message : `${folder} (--data): ${message}.`
}

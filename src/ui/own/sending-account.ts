import { devSigner } from '#client/signing/dev-signer.ts'
import type { SendingAccount } from './hand-in.ts'
import { noSender, type SenderChoice } from './sender.ts'

/**
 * The account that sends.
 *
 * @throws {ExplainedError} While nobody is chosen.
 */
export function sendingAccount({ index, other }: SenderChoice): SendingAccount {
  if (other === 'undecided') return noSender()
  return other === undefined ? devSigner(index) : { source: 'impersonated', address: other }
}

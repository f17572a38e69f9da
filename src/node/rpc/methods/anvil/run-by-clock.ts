import type { Sequencer } from '../../../sequencer/sequencer.ts'

/** Has the clock drive the chain, in the place of automine. */
export async function runByClock(control: Sequencer): Promise<void> {
  await control.setAutomine(false)
  control.resume()
}

import type { SequencerControl } from '../../../sequencer/control.ts'

/** Has the clock drive the chain, in the place of automine. */
export async function runByClock(control: SequencerControl): Promise<void> {
  await control.setAutomine(false)
  control.resume()
}

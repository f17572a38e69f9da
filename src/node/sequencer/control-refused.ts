/** Why the chain cannot be steered as asked. */
export type ControlRefusal = 'too-deep' | 'time-goes-back' | 'too-late' | 'too-many'

/** Something was asked of the sequencer that this chain cannot do now; nothing has changed. Branch on `code`. */
export class ControlRefusedError extends Error {
  override readonly name = 'ControlRefusedError'
  readonly code: ControlRefusal

  constructor(code: ControlRefusal, message: string) {
    super(message)
    this.code = code
  }
}

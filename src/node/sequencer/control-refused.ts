/** Why the sequencer refused. */
export type ControlRefusal = 'too-deep' | 'time-goes-back' | 'too-late' | 'too-many'

/** The sequencer refused an operation that the chain cannot do now; nothing has changed. Branch on `code`. */
export class ControlRefusedError extends Error {
  override readonly name = 'ControlRefusedError'
  readonly code: ControlRefusal

  constructor(code: ControlRefusal, message: string) {
    super(message)
    this.code = code
  }
}

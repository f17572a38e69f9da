/** How browsers begin to say that a script, or the styles that it needs, did not come. */
const MISSING = /import(?:ed|ing a) module|preload CSS/i

/** Whether an error says that a part of the page, which is loaded when it is needed, did not come. */
export function isMissingScript(error: unknown): error is Error {
  return error instanceof Error && MISSING.test(error.message)
}

/**
 * For all tests: the engine imports its compiler while something runs often, and does not wait for it. An import that is
 * still under way when a file of tests ends would fail, and with it the next file that waits for it.
 */
import '#engine/code-compiler.ts'

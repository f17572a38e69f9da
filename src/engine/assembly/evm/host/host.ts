/**
 * The questions that the engine asks its host when it meets a name for the first time in a message. Addresses and slots
 * are words.
 *
 * What it was given it keeps from message to message, and so does the host know what it has given:
 *
 * - Each account and each slot that was asked for has a number, from 1 on, which names it until all is forgotten; so the
 *   host need not read its name again.
 * - In each message the host is asked once for each. It compares what it would answer with what it answered or took over
 *   last, accounts by identity, slots by value, and may say {@link SAME}. So the engine learns of whatever else has changed
 *   the state. An account that is there with neither nonce nor code is never the same: slots of it may have been set.
 * - What a failed message has changed, the journal has put back. What a successful one has changed, the host takes over into
 *   the state, and remembers as what it would answer.
 * - All is forgotten after a trial that succeeded, after new code, after the removal of an account, for another state or
 *   other precompiles, and when much memory is taken.
 */

/** The answer is the same as when the engine last got it from the host, or gave it back. */
export const SAME: u32 = 0xffffffff

/**
 * Writes nonce, balance and code hash to {@link ACCOUNT}, unless it is the {@link SAME}.
 *
 * @param number - Of one that was asked for in an earlier message; otherwise 0, and it gets the next number.
 * @returns What there is, as flags and the number of a precompile.
 */
export declare function loadAccount(address: usize, number: u32): u32
/**
 * Writes the value as a word, unless it is the {@link SAME}.
 *
 * @param account - The number of one that was asked for in this message.
 * @param number - Of the slot, likewise.
 */
export declare function loadSlot(account: u32, slot: usize, to: usize, number: u32): u32
/** @returns The size of the account's code, which {@link copyCode} then writes. */
export declare function loadCode(address: usize): u32
export declare function copyCode(to: usize): void
/** Writes the hash of an earlier block as a word. */
export declare function loadBlockHash(number: f64, to: usize): void

/** Of what {@link loadAccount} answers: the account exists. */
export const EXISTS: u32 = 1
/** It has code. */
export const HAS_CODE: u32 = 2
/** Slots of it are set. Only said of an account that might yet be made: without nonce and code. */
export const HAS_STORAGE: u32 = 4
/** Above it stands the number of the precompile that answers at the address, 0 for none. */
export const PRECOMPILE_SHIFT: u32 = 3

/** Zeros where there is no account: nonce (8 bytes), balance (a word) and code hash (32 bytes, as they are) of the account that was loaded last. */
export const ACCOUNT: usize = memory.data(72, 8)

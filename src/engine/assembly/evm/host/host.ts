/**
 * The engine's calls to its host, made on the first use of an address or slot in a message. Addresses and slots
 * are words.
 *
 * The engine caches the answers between messages, and the host remembers what it answered:
 *
 * - Each requested account and slot gets a number, from 1 on, which identifies it until everything is forgotten; so the
 *   host need not read the address or slot again.
 * - In each message the host is asked once for each. It compares its answer with the one it last gave or took over,
 *   accounts by identity, slots by value, and may return {@link SAME}. So the engine learns of any other change to
 *   the state. An existing account without nonce and code is never the same: its slots may have been set.
 * - As long as no slot of the state changes but by messages, the host is asked only once for each slot.
 * - The undo log reverts the changes of a failed message and of a trial. The host applies the changes of a successful one
 *   to the state, and remembers them as its answers.
 * - Everything is forgotten after new code or the removal of an account, for other precompiles, and when much memory is
 *   in use.
 */

/** The answer is the same as when the engine last got it from the host, or gave it back. */
export const SAME: u32 = 0xffffffff

/**
 * Writes nonce, balance and code hash to {@link ACCOUNT}, unless it is the {@link SAME}.
 *
 * @param number - Its number if an earlier message asked for it; otherwise 0, and it gets the next number.
 * @returns Flags, and the number of a precompile.
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

/** The input of a call to the console's address, where nothing answers; its frame may still fail. */
export declare function consoleCalled(input: usize, size: u32): void

/** A block of the code has run often. @returns Whether it is compiled now. */
export declare function hot(code: usize, block: usize): bool

/** A bit of what {@link loadAccount} answers: the account exists. */
export const EXISTS: u32 = 1
/** A bit of what {@link loadAccount} answers: the account has code. */
export const HAS_CODE: u32 = 2
/** Slots of it are set. Only said of an account that might yet be made: without nonce and code. */
export const HAS_STORAGE: u32 = 4
/** Above it stands the number of the precompile that answers at the address, 0 for none. */
export const PRECOMPILE_SHIFT: u32 = 3

/** Zeros where there is no account: nonce (8 bytes), balance (a word) and code hash (32 bytes, as they are) of the account that was loaded last. */
export const ACCOUNT: usize = memory.data(72, 8)

/**
 * What many contracts have in common, by whose it is: functions, events and errors as Solidity writes them, one in each
 * line. A line is a function unless it begins with `event` or `error`; members of structs stand in brackets.
 */
export type Interfaces = Readonly<Record<string, string>>

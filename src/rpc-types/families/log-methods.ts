/** Logs, filters and everything else that only reads the chain. Method → positional parameters and result. */
export interface LogMethods {}

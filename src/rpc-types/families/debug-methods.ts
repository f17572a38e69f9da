/** Traces, simulations and access lists. Method → positional parameters and result. */
export interface DebugMethods {}

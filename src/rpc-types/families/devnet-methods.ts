/** Faults, time and the names that other development nodes use. Method → positional parameters and result. */
export interface DevnetMethods {}

/** A command line that cannot be run; thrown, because only that keeps yargs from running the command. */
export class UsageError extends Error {}

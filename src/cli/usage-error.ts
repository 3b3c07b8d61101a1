/** A command line that cannot be run; thrown, so that no command runs on a part of it. */
export class UsageError extends Error {}

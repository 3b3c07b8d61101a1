import { fstatSync, statSync } from 'node:fs'

/**
 * True where a descriptor is a terminal. `node:tty` brings sockets and streams with it, which takes longer than the check
 * of a manifest: it is loaded only for a device, not for a file or a pipe.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isDevice(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor)
    // Where output is thrown away is a device, too, and no terminal.
    return found.isCharacterDevice() && found.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev
  } catch {
    // Closed before the program began.
    return false
  }
}

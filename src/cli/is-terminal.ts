import { fstatSync } from 'node:fs'

/**
 * True where a descriptor is a terminal. `node:tty` brings sockets and streams with it, which takes longer than the check
 * of a manifest: it is loaded only for a device, not for a file or a pipe.
 */
export function isTerminal(descriptor: 0 | 1 | 2): boolean {
  return isDevice(descriptor) && process.getBuiltinModule('node:tty').isatty(descriptor)
}

function isDevice(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice()
  } catch {
    // Closed before the program began.
    return false
  }
}

import type { Emulator, EmulatorOptions } from '../../src/emulator/emulated-site.js'
import { parseRule } from '../../src/emulator/faults/notation.js'
import { startEmulator } from '../../src/emulator/server.js'
import { atEnd } from './at-end.js'

/** Starts an emulator, which is closed at the end of the test, or of the file if a hook starts it. */
export async function anEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const emulator = await startEmulator(options)
  atEnd(emulator.close)
  return emulator
}

/** Parses a fault of the emulator. */
export function aFault(text: string) {
  const rule = parseRule(text)
  if (!rule.ok) throw new Error(rule.error.problem)
  return rule.value
}

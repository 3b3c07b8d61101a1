// Required by a process before anything else: it takes itself for one of another machine, whose clock is ahead.
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

const aheadMs = Number(process.env['PROOF_AHEAD_MS'] ?? 0)
const name = process.env['PROOF_HOST'] ?? 'another-machine'
os.hostname = () => name
syncBuiltinESMExports()
const now = Date.now
Date.now = () => now() + aheadMs

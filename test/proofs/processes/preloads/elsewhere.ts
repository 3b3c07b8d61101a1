// Preloaded: makes the process appear to run on another machine, whose clock may be ahead.
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'

const { PROOF_HOST: host, PROOF_AHEAD_MS: ahead = '0' } = process.env
if (host !== undefined) os.hostname = () => host
syncBuiltinESMExports()
const now = Date.now
Date.now = () => now() + Number(ahead)

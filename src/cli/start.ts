/**
 * The program that users start. It only picks the bundle to run: a check of manifests needs a third of the code. It is
 * bundled to CommonJS, which starts faster than an ES module; nothing imports it.
 */
import * as nodeModule from 'node:module'
import { join } from 'node:path'

const isCheck = ['validate', 'lint', 'check'].includes(process.argv[2] ?? '')
// V8 optimizes undici's HTTP parser, which is WebAssembly, after a few kilobytes. That takes a tenth of a second of CPU
// time, for which the process also waits at its end, and does not pay off for a few responses.
if (!isCheck) process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=180000000')
// Node 20 has no compile cache. In CI, its folder may be restored from a cache that others can write.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown }
if (process.env['CI'] === undefined) enableCompileCache?.(join(__dirname, '..', 'compiled'))
const bundle: unknown = require(join(__dirname, isCheck ? 'check.cjs' : 'main.cjs'))
// The other bundle is also the library, so it runs as the program only on this call.
if (!isCheck) (bundle as { program(): void }).program()

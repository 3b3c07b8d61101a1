/**
 * The program that users start. It only picks the bundle to run: a check of manifests needs a third of the code. It is
 * bundled to CommonJS, which starts faster than an ES module; nothing imports it.
 */
import * as nodeModule from 'node:module'
import { join } from 'node:path'

const isCheck = ['validate', 'lint', 'check'].includes(process.argv[2] ?? '')
// V8 optimizes the parser of HTTP, which is WebAssembly in undici, after a few kilobytes. That takes a tenth of a second of
// CPU time, which does not pay for a few responses, and the process waits for its end.
if (!isCheck) process.getBuiltinModule('node:v8').setFlagsFromString('--wasm-tiering-budget=180000000')
// Node 20 has no cache of compiled code. In CI its folder may be restored from a cache that others can fill.
const { enableCompileCache } = nodeModule as { readonly enableCompileCache?: (folder: string) => unknown }
if (process.env['CI'] === undefined) enableCompileCache?.(join(__dirname, '..', 'compiled'))
const bundle: unknown = require(join(__dirname, isCheck ? 'check.cjs' : 'main.cjs'))
// The other bundle is also the library: it runs as the program only when called so.
if (!isCheck) (bundle as { program(): void }).program()

import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { confineThread, createQuickJsEngine } from '../../../src/scripting/sandbox/realm/engine.ts'

/** Tells how large the memory of a confined engine becomes when its runtime has no limit of its own. */
confineThread()
const path = fileURLToPath(import.meta.resolve('@jitl/quickjs-wasmfile-release-sync/wasm'))
const engine = await createQuickJsEngine(await WebAssembly.compile(await readFile(path)))
const context = engine.newRuntime().newContext()
const result = context.evalCode(
  'const kept = []; for (let n = 0; n < 1e3; n++) kept.push(new Uint8Array(1e6)); kept.length',
)
const ended = String(result.error ? context.dump(result.error).message : result.value && context.dump(result.value))

/** A memory that this thread makes itself. */
function isRefused(): boolean {
  const { Memory } = Reflect.get(globalThis, 'WebAssembly') as {
    Memory: new (size: object) => { grow(pages: number): number }
  }
  try {
    new Memory({ initial: 1 }).grow(1024)
    return false
  } catch {
    return true
  }
}

parentPort?.postMessage({ bytes: engine.getWasmMemory().buffer.byteLength, ended, refused: isRefused() })

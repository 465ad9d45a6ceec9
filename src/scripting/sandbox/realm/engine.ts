import releaseSync from '@jitl/quickjs-wasmfile-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'
import { sandboxLimits } from '../limits.ts'

const PAGE_BYTES = 65_536

/** Keeps every memory of this thread below its limit, and its zone UTC. To be called before the engine is loaded. */
export function confineThread(): void {
  const { grow } = WebAssembly.Memory.prototype
  WebAssembly.Memory.prototype.grow = function (this: WebAssembly.Memory, pages: number): number {
    if (this.buffer.byteLength + pages * PAGE_BYTES > sandboxLimits.moduleBytes) throw new RangeError('out of memory')
    return grow.call(this, pages)
  }
  const datePrototype = Date.prototype
  for (const part of ['FullYear', 'Month', 'Date', 'Day', 'Hours', 'Minutes', 'Seconds'] as const)
    datePrototype[`get${part}`] = datePrototype[`getUTC${part}`]
  datePrototype.getTimezoneOffset = () => 0
  // The engine says why it aborted; its runs are answered, and nobody else has to know.
  for (const level of ['log', 'error'] as const) console[level] = () => {}
}

/** A new instance of the engine's module, from its compiled code. */
export function createQuickJsEngine(wasmModule: WebAssembly.Module): Promise<QuickJSWASMModule> {
  // The package declares its types for CommonJS alone.
  const variant = releaseSync as unknown as QuickJSSyncVariant
  return newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmModule: wasmModule as never }))
}

/** A runtime with the limits of a run. */
export function createQuickJsRuntime(engine: QuickJSWASMModule): QuickJSRuntime {
  return engine.newRuntime({ memoryLimitBytes: sandboxLimits.heapBytes, maxStackSizeBytes: sandboxLimits.stackBytes })
}

import type { ServiceContext } from '../../src/context.ts'
import { createDesignCompiler } from '../../src/features/designs/compiler.ts'
import { createRenderPool } from '../../src/features/rendering/render-pool.ts'
import { createSandbox } from '../../src/scripting/sandbox/sandbox.ts'

/** Parts of a context that work in threads of their own. */
type Engines = Pick<ServiceContext, 'renders' | 'designs' | 'sandbox'>

/** Threads end with the process: they keep it alive only while they work. */
const stayOpen = async (): Promise<void> => undefined

function startEngines(): Engines {
  return {
    renders: { ...createRenderPool({ threads: 1, queueLimit: 100 }), close: stayOpen },
    designs: { ...createDesignCompiler(), close: stayOpen },
    sandbox: { ...createSandbox({ cores: 2, threadsPerCore: 4 }), close: stayOpen },
  }
}

let started: Engines | undefined

/** The engines of this process, which its files of tests share: a thread takes up to 1.5 s of processor time to load what it needs. */
export const shareEngines = (): Engines => (started ??= startEngines())

import { computeGraphLayout } from '../model/laid-out.ts'
import type { GraphShape } from '../model/layout.ts'

/** Lays out a graph away from the page, which goes on drawing meanwhile. */
addEventListener('message', ({ data }: MessageEvent<GraphShape>) => postMessage(computeGraphLayout(data)))

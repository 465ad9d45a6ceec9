import { laidOut } from '../model/laid-out.ts'
import type { Shape } from '../model/layout.ts'

/** Lays out a graph away from the page, which goes on drawing meanwhile. */
addEventListener('message', ({ data }: MessageEvent<Shape>) => postMessage(laidOut(data)))

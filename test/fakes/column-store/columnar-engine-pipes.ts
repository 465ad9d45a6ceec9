import { execFile } from 'node:child_process'
import { closeSync, constants, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** As many answers can be given out at a time; more wait. */
const PIPES = 16

export interface Pipes {
  /** Calls with the path of a named pipe and what comes out of it, which ends when `close` is called and all was read. */
  use<Answer>(work: (path: string, out: Socket, close: () => void) => Promise<Answer>): Promise<Answer>
}

/**
 * Named pipes: the only way by which the library gives out an answer in any format while it is made, and no faster than it is read.
 * Its own streams make a document of each part, with a head of its own, and take no statement but `select`.
 */
export async function makePipes(directory: string): Promise<Pipes> {
  const free = Array.from({ length: PIPES }, (_, number) => join(directory, `pipe-${number}`))
  await promisify(execFile)('mkfifo', free)
  const waiting: ((path: string) => void)[] = []
  const give = (path: string): void => {
    const next = waiting.shift()
    if (next) next(path)
    else free.push(path)
  }
  return {
    async use(work) {
      const path = free.pop() ?? (await new Promise<string>((resolve) => waiting.push(resolve)))
      const out = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
      try {
        return await work(path, out, () => endPipe(path))
      } finally {
        out.destroy()
        give(path)
      }
    },
  }
}

/** A reader sees an end only after a writer was there; the statement may have failed before it was one. */
function endPipe(path: string): void {
  try {
    closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENXIO') throw error
  }
}

import type { Logger } from 'pino'
import { ROBOTS_DIRECTORY, type Robots, readRobots } from '../events/robots.ts'

/** The lists of robots as their files stand: replaced files count within a minute. */
export interface RobotLists {
  current(): Robots
  close(): void
}

const REREAD_MS = 60_000

/** Reads the lists. Throws when they are faulty; a later faulty replacement is logged, and the former lists hold. */
export async function openRobotLists(directory = ROBOTS_DIRECTORY, log: Logger): Promise<RobotLists> {
  let robots = await readRobots(directory)
  const timer = setInterval(() => {
    readRobots(directory).then(
      (read) => {
        robots = read
      },
      (error) => log.warn({ err: error }, 'the lists of robots cannot be read; the former ones hold'),
    )
  }, REREAD_MS)
  timer.unref()
  return { current: () => robots, close: () => clearInterval(timer) }
}

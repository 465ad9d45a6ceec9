import type { Logger } from 'pino'
import { ROBOTS_DIRECTORY, type Robots, readRobots } from '../../events/robots/robots.ts'

/** The current lists of robots: replaced files take effect within a minute. */
export interface RobotLists {
  current(): Robots
  close(): void
}

const REREAD_MS = 60_000

/** Reads the lists. Throws when they are invalid; an invalid replacement is logged, and the previous lists stay in use. */
export async function openRobotLists(directory = ROBOTS_DIRECTORY, log: Logger): Promise<RobotLists> {
  let robots = await readRobots(directory)
  const timer = setInterval(() => {
    readRobots(directory).then(
      (read) => {
        robots = read
      },
      (error) => log.warn({ err: error }, 'cannot read the lists of robots; the previous ones stay in use'),
    )
  }, REREAD_MS)
  timer.unref()
  return { current: () => robots, close: () => clearInterval(timer) }
}

import type { Logger } from 'pino'
import { loadRobotPatterns, ROBOTS_DIRECTORY, type RobotPatterns } from '../../events/robots/robots.ts'

/** The current lists of robots: replaced files take effect within a minute. */
export interface RobotLists {
  current(): RobotPatterns
  close(): void
}

const REFRESH_INTERVAL_MS = 60_000

/** Reads the lists. Throws when they are invalid; an invalid replacement is logged, and the previous lists stay in use. */
export async function openRobotLists(directory = ROBOTS_DIRECTORY, log: Logger): Promise<RobotLists> {
  let robots = await loadRobotPatterns(directory)
  const timer = setInterval(() => {
    loadRobotPatterns(directory).then(
      (loadedPatterns) => {
        robots = loadedPatterns
      },
      (error) => log.warn({ err: error }, 'cannot read the lists of robots; the previous ones stay in use'),
    )
  }, REFRESH_INTERVAL_MS)
  timer.unref()
  return { current: () => robots, close: () => clearInterval(timer) }
}

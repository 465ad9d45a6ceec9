import { setTimeout as delay } from 'node:timers/promises'

/** For what never comes alone: however busy a machine is, what comes is there by then. */
const LIMIT_MS = 180_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [2, 50]

/**
 * Asks again and again until there is an answer: anything but undefined and false. A question that throws has none yet.
 * `limit`: milliseconds, or a signal, such as that of the test. Throws when it is over: the error names the question, and its
 * cause is what the question threw last.
 */
export async function eventually<Answer>(
  ask: () => Answer | Promise<Answer>,
  limit: number | AbortSignal = LIMIT_MS,
): Promise<Exclude<Answer, undefined | false>> {
  const end = typeof limit === 'number' ? performance.now() + limit : Number.POSITIVE_INFINITY
  const isOver = () => performance.now() > end || (typeof limit !== 'number' && limit.aborted)
  let cause: unknown
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(1.5 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      const answer = await ask()
      if (answer !== undefined && answer !== false) return answer as Exclude<Answer, undefined | false>
      cause = undefined
    } catch (error) {
      cause = error
    }
    if (isOver()) throw new Error(`not in time: ${ask}`, { cause })
    await delay(pauseMs)
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRight, AccountId, RequestUser } from '../../lib/account.ts'
import type { SessionStore, UserSession } from '../../lib/sessions.ts'
import { resolveSessionRights, toRequestUser } from './persons.ts'

/** Shorter than a session may continue after its end, because the check itself takes time. */
const CHECK_INTERVAL_MS = 400

interface WatchedAnswer {
  person: RequestUser
  account: AccountId
  /** One of these rights is needed for the answer; none: it is for whoever is signed in. */
  needed: readonly AccessRight[]
  reply: FastifyReply
}

/** Returns true if a session still has the rights with which an answer started. */
function isSessionUnchanged({ person, account, needed }: WatchedAnswer, session: UserSession | undefined): boolean {
  // An operator sees all accounts, also those where the same person is a member with a role.
  if (!session || session.operator !== person.operator) return false
  // The installation's, which operators see alone, or one's own.
  if (account === 0) return true
  const sessionAccount = session.places.find((candidate) => candidate.account === account)
  const now = toRequestUser(session, sessionAccount)
  const grantedRights = resolveSessionRights(session, sessionAccount)
  const isAllowed = needed.length === 0 || needed.some((right) => grantedRights.includes(right))
  return isAllowed && now.role === person.role && now.masked === person.masked
}

/** Cuts streamed answers whose session ends, or whose person has another role meanwhile. */
export function watchStreamSessions(sessions: SessionStore, onError: (error: unknown) => void) {
  const watchedAnswers = new Set<WatchedAnswer>()
  let isLooking = false

  async function checkSessions(): Promise<void> {
    const liveSessions = await sessions.still([...new Set([...watchedAnswers].map(({ person }) => person.session))])
    for (const answer of watchedAnswers)
      if (!isSessionUnchanged(answer, liveSessions.get(answer.person.session))) answer.reply.raw.destroy()
  }

  async function lookUntilEmpty(): Promise<void> {
    isLooking = true
    while (watchedAnswers.size > 0) {
      await delay(CHECK_INTERVAL_MS, undefined, { ref: false })
      await checkSessions().catch(onError)
    }
    isLooking = false
  }

  return {
    watch({ person, account, routeOptions }: FastifyRequest, reply: FastifyReply): void {
      if (!person) return
      const { rightOfPeople, right = [] } = routeOptions.config ?? {}
      const watchedAnswer = { person, account, needed: [rightOfPeople ?? right].flat(), reply }
      watchedAnswers.add(watchedAnswer)
      reply.raw.on('close', () => watchedAnswers.delete(watchedAnswer))
      if (!isLooking) void lookUntilEmpty()
    },
  }
}

import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessRight, AccountId, RequestUser } from '../../lib/account.ts'
import type { SessionStore, UserSession } from '../../lib/sessions.ts'
import { resolveSessionRights, toRequestUser } from './persons.ts'

/** Less than a session may go on after its end: the look itself takes time, too. */
const LOOK_MS = 400

interface Watched {
  person: RequestUser
  account: AccountId
  /** One of these rights is needed for the answer; none: it is for whoever is signed in. */
  needed: readonly AccessRight[]
  reply: FastifyReply
}

/** Whether a session still is what an answer began with. */
function isSame({ person, account, needed }: Watched, session: UserSession | undefined): boolean {
  // An operator sees all accounts, also those where the same person is a member with a role.
  if (!session || session.operator !== person.operator) return false
  // The installation's, which operators see alone, or one's own.
  if (account === 0) return true
  const place = session.places.find((own) => own.account === account)
  const now = toRequestUser(session, place)
  const granted = resolveSessionRights(session, place)
  const isAllowed = needed.length === 0 || needed.some((right) => granted.includes(right))
  return isAllowed && now.role === person.role && now.masked === person.masked
}

/** Cuts streamed answers whose session ends, or whose person has another role meanwhile. */
export function watchStreamSessions(sessions: SessionStore, onError: (error: unknown) => void) {
  const watched = new Set<Watched>()
  let isLooking = false

  async function look(): Promise<void> {
    const there = await sessions.still([...new Set([...watched].map(({ person }) => person.session))])
    for (const one of watched) if (!isSame(one, there.get(one.person.session))) one.reply.raw.destroy()
  }

  async function lookUntilEmpty(): Promise<void> {
    isLooking = true
    while (watched.size > 0) {
      await delay(LOOK_MS, undefined, { ref: false })
      await look().catch(onError)
    }
    isLooking = false
  }

  return {
    watch({ person, account, routeOptions }: FastifyRequest, reply: FastifyReply): void {
      if (!person) return
      const { rightOfPeople, right = [] } = routeOptions.config ?? {}
      const one = { person, account, needed: [rightOfPeople ?? right].flat(), reply }
      watched.add(one)
      reply.raw.on('close', () => watched.delete(one))
      if (!isLooking) void lookUntilEmpty()
    },
  }
}

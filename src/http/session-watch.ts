import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccountId, SignedIn } from '../lib/account.ts'
import type { Session, SessionStore } from '../lib/sessions.ts'
import { signedIn } from './persons.ts'

/** Less than a session may go on after its end: the look itself takes time, too. */
const LOOK_MS = 400

interface Watched {
  person: SignedIn
  account: AccountId
  reply: FastifyReply
}

/** Whether a session still is what an answer began with. */
function isSame({ person, account }: Watched, session: Session | undefined): boolean {
  if (!session) return false
  if (account === 0) return true
  const place = session.places.find((own) => own.account === account)
  if (!place) return session.operator && person.role === null
  const now = signedIn(session, place)
  return now.role === person.role && now.masked === person.masked
}

/** Cuts streamed answers whose session ends, or whose person has another role meanwhile. */
export function watchSessions(sessions: SessionStore, onError: (error: unknown) => void) {
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
    watch({ person, account }: FastifyRequest, reply: FastifyReply): void {
      if (!person) return
      const one = { person, account, reply }
      watched.add(one)
      reply.raw.on('close', () => watched.delete(one))
      if (!isLooking) void lookUntilEmpty()
    },
  }
}

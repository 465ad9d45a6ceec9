import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../../../http/app-type.ts'
import { setCookie } from '../../../http/middleware/site.ts'
import { visitOf } from '../../../http/middleware/visits.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import type { SignedIn } from '../../../lib/account.ts'
import { notFound, Problem } from '../../../lib/errors/problem.ts'
import { readUuid } from '../../../lib/ids.ts'
import { Confirmation, SessionShown } from '../people-schemas.ts'
import { judgeAgain, type SignInContext } from '../sign-in/sign-in.ts'
import { confirmSession, endSession, listSessions } from './sessions.ts'

const tags = ['sign-in']
const config = { session: 'own', audit: UNTOLD.session } as const

/** Who is signed in: there always is one where a session is asked for. */
function personOf({ person }: FastifyRequest): SignedIn {
  if (!person) throw new Problem(401, 'unauthorized', 'Sign in.')
  return person
}

function ownRoutes(app: App, context: SignInContext): void {
  const { db, clock, site } = context
  app.post('/auth/sign-out', {
    config,
    schema: { tags, summary: 'end this session', response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { id, session } = personOf(request)
      await endSession(db, id, session)
      setCookie(reply, site, { kind: 'session', value: '', seconds: 0 })
      return reply.code(204).send(null)
    },
  })
  app.get('/auth/sessions', {
    config,
    schema: { tags, summary: 'list one’s sessions', response: { 200: Type.Array(SessionShown) } },
    handler: (request) => {
      const { id, session } = personOf(request)
      return listSessions(db, id, { current: session, now: clock.now() })
    },
  })
  app.delete('/auth/sessions/:id', {
    config,
    schema: {
      tags,
      summary: 'end one of one’s sessions',
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = readUuid(request.params.id)
      if (id === undefined) throw notFound('session', request.params.id)
      await endSession(db, personOf(request).id, id)
      return reply.code(204).send(null)
    },
  })
}

function confirmRoutes(app: App, context: SignInContext): void {
  const { db, clock, site } = context
  app.post('/auth/confirm', {
    config,
    schema: {
      tags,
      summary: 'give the password or a passkey once more, which one’s own settings ask for',
      body: Confirmation,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const person = personOf(request)
      await judgeAgain(context, person, request.body, visitOf(request, site))
      await confirmSession(db, person.session, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

/** One's own sessions. */
export function sessionRoutes(app: App, context: SignInContext): void {
  ownRoutes(app, context)
  confirmRoutes(app, context)
}

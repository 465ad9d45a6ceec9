import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpApp } from '../../../http/app-type.ts'
import { setSiteCookie } from '../../../http/middleware/site.ts'
import { readBrowserVisit } from '../../../http/middleware/visits.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
import type { RequestUser } from '../../../lib/account.ts'
import { notFoundProblem, Problem } from '../../../lib/errors/problem.ts'
import { parseUuid } from '../../../lib/ids.ts'
import { ReauthenticationBody, signInRefusals, UserSessionResource } from '../people-schemas.ts'
import { reauthenticateUser, type SignInContext } from '../sign-in/sign-in.ts'
import { endUserSession, listUserSessions, recordReauthentication } from './sessions.ts'

const tags = ['sign-in']
const ownConfig = { session: 'own', audit: AUDIT_EXEMPTIONS.session } as const

/** The signed-in user: routes that require a session always have one. */
function requireUser({ person }: FastifyRequest): RequestUser {
  if (!person) throw new Problem(401, 'unauthorized', 'Sign in.')
  return person
}

function registerOwnRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock, site } = context
  app.post('/auth/sign-out', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Sign out',
      description: 'Ends the session of this request and deletes its cookie.',
      operationId: 'signOut',
      refusals: signInRefusals,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { id, session } = requireUser(request)
      await endUserSession(db, id, session)
      setSiteCookie(reply, site, { kind: 'session', value: '', seconds: 0 })
      return reply.code(204).send(null)
    },
  })
  app.get('/auth/sessions', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'List your sessions',
      description: 'Returns the active sessions of the signed-in user.',
      operationId: 'listSessions',
      refusals: { ...signInRefusals, 403: 'session-required https-needed provider-refused not-invited' },
      response: { 200: Type.Array(UserSessionResource) },
    },
    handler: (request) => {
      const { id, session } = requireUser(request)
      return listUserSessions(db, id, { current: session, now: clock.now() })
    },
  })
  app.delete('/auth/sessions/:id', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'End a session',
      description: 'Ends a session of the signed-in user; its event streams are closed within a second.',
      operationId: 'endSession',
      refusals: { ...signInRefusals, 403: 'session-required' },
      params: Type.Object({ id: Type.String() }),
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const id = parseUuid(request.params.id)
      if (id === undefined) throw notFoundProblem('session', request.params.id)
      await endUserSession(db, requireUser(request).id, id)
      return reply.code(204).send(null)
    },
  })
}

function registerConfirmRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock, site } = context
  app.post('/auth/confirm', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Confirm the password or a passkey',
      description:
        'Confirms the identity of the signed-in user for 10 minutes, as changes to your own settings require.',
      operationId: 'confirmPassword',
      refusals: signInRefusals,
      body: ReauthenticationBody,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const person = requireUser(request)
      await reauthenticateUser(context, person, request.body, readBrowserVisit(request, site))
      await recordReauthentication(db, person.session, new Date(clock.now()))
      return reply.code(204).send(null)
    },
  })
}

/** One's own sessions. */
export function userSessionRoutes(app: HttpApp, context: SignInContext): void {
  registerOwnRoutes(app, context)
  registerConfirmRoutes(app, context)
}

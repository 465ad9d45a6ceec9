import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { App } from '../../../http/app-type.ts'
import { readCookie, requireSafe, requireSameSite } from '../../../http/middleware/site.ts'
import { answerSignIn, localeOf, visitOf } from '../../../http/middleware/visits.ts'
import { UNTOLD } from '../../../http/resource/audit.ts'
import { enqueue } from '../../../jobs/enqueue.ts'
import { seal } from '../../../lib/crypto/seal.ts'
import { Problem, refuseTooSoon } from '../../../lib/errors/problem.ts'
import { networkOf } from '../../../lib/net/networks.ts'
import type { SessionStore } from '../../../lib/sessions.ts'
import { windowCounter } from '../../../lib/time/window-counter.ts'
import { acceptInvitation, openInvitation } from '../members/invitations.ts'
import { RESET_CONTEXT, resetPassword, setUp } from '../members/links.ts'
import { readEmail } from '../people.ts'
import {
  Acceptance,
  AcceptanceByLink,
  InvitationLink,
  InvitationShown,
  NewPassword,
  NewPasswordByLink,
  PasskeyOptions,
  PasskeySignIn,
  ResetRequest,
  SecondFactor,
  SetUp,
  SignIn,
  SignInState,
} from '../people-schemas.ts'
import { telling } from '../told.ts'
import { countAsked } from './guessing.ts'
import { rememberBrowser } from './known-browsers.ts'
import { passkeyOptions } from './passkeys.ts'
import { attemptedBy, giveSecondFactor, type Outcome, type SignInContext, signIn, signInByPasskey } from './sign-in.ts'

const tags = ['sign-in']
/** The warning on routes with the token of a link in their path. */
const IN_LOGS = 'The token stands in the path, which proxies log: better send it in a body.'
const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) })
/** What asks for nothing but a sign-in has small bodies. */
const BODY_LIMIT = 64 * 1024
/** Challenges that a process gives an address in a minute: each is a row. */
const CHALLENGES = 60
const MINUTE_MS = 60_000

interface SignInRoutes extends SignInContext {
  sessions: SessionStore
}

/** Browsers say where a page comes from; who says nothing and has no session is no page. */
function guard(request: FastifyRequest, { site }: SignInContext): void {
  requireSafe(site)
  const { origin, referer } = request.headers
  const isPage = origin !== undefined || referer !== undefined || request.headers['sec-fetch-site'] !== undefined
  if (isPage || readCookie(request, site, 'session') !== undefined) requireSameSite(request, site)
}

/** What the routes that change something have in common. */
function guardedBy(context: SignInContext) {
  const onRequest = async (request: FastifyRequest) => guard(request, context)
  return { config: { public: true, audit: UNTOLD.signIn }, bodyLimit: BODY_LIMIT, onRequest }
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, masterKeys }: SignInContext,
  outcome: Outcome,
): SignInState {
  const known = readCookie(request, site, 'known')
  return answerSignIn(reply, site, outcome, (email) => rememberBrowser(masterKeys, known, email))
}

function firstFactorRoutes(app: App, context: SignInRoutes): void {
  const { site } = context
  const guarded = guardedBy(context)
  app.post('/auth/setup', {
    ...guarded,
    schema: {
      tags,
      summary: 'set up the first person, by the link of the first start',
      body: SetUp,
      response: { 200: SignInState },
    },
    handler: async (request, reply) => {
      const given = { ...request.body, locale: localeOf(request) }
      return answer(request, reply, context, await setUp(context, given, visitOf(request, site)))
    },
  })
  app.post('/auth/sign-in', {
    ...guarded,
    schema: { tags, summary: 'sign in', body: SignIn, response: { 200: SignInState } },
    handler: async (request, reply) => {
      const visit = visitOf(request, site)
      const { body } = request
      return answer(
        request,
        reply,
        context,
        await telling(context, visit, body.email, () => signIn(context, body, visit)),
      )
    },
  })
}

function passkeyRoutes(app: App, context: SignInRoutes): void {
  const { db, clock, site } = context
  const guarded = guardedBy(context)
  const asked = windowCounter(CHALLENGES, MINUTE_MS)
  app.post('/auth/passkey', {
    ...guarded,
    schema: {
      tags,
      summary: 'sign in by a passkey, which is both factors',
      body: PasskeySignIn,
      response: { 200: SignInState },
    },
    handler: async (request, reply) => {
      const visit = visitOf(request, site)
      const work = () => signInByPasskey(context, request.body.passkey, visit)
      return answer(request, reply, context, await telling(context, visit, undefined, work))
    },
  })
  app.post('/auth/passkey/options', {
    ...guarded,
    schema: {
      tags,
      summary: 'options for a passkey: to sign in, as a second factor, or to confirm',
      response: { 200: PasskeyOptions },
    },
    handler: async (request) => {
      refuseTooSoon(asked(networkOf(request.ip), clock.now()))
      const [token, attempt] = [readCookie(request, site, 'session'), readCookie(request, site, 'attempt')]
      const session = token === undefined ? undefined : await context.sessions.find(token)
      const person = session?.person ?? (attempt === undefined ? undefined : await attemptedBy(context, attempt))
      return (await passkeyOptions(db, site, person, clock.now())) as Record<string, unknown>
    },
  })
}

function secondFactorRoutes(app: App, context: SignInRoutes): void {
  const { site } = context
  app.post('/auth/second-factor', {
    ...guardedBy(context),
    schema: {
      tags,
      summary: 'give the second factor: a code, a recovery code or a passkey',
      body: SecondFactor,
      response: { 200: SignInState },
    },
    handler: async (request, reply) => {
      const token = readCookie(request, site, 'attempt')
      if (token === undefined) throw new Problem(401, 'sign-in-over', 'This sign-in is over: begin it again.')
      const given = { token, given: request.body }
      const visit = visitOf(request, site)
      const work = () => giveSecondFactor(context, given, visit)
      return answer(request, reply, context, await telling(context, visit, undefined, work))
    },
  })
}

function resetRoutes(app: App, context: SignInRoutes): void {
  const { db, masterKeys, clock } = context
  const guarded = guardedBy(context)
  app.post('/auth/reset', {
    ...guarded,
    schema: {
      tags,
      summary: 'have a link for a new password mailed',
      description: 'The answer is the same whether the email is known.',
      body: ResetRequest,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const email = readEmail(request.body.email)
      await countAsked(db, masterKeys, { email, address: request.ip }, clock.now())
      await enqueue(db, 'people.reset', { email: seal(masterKeys, email, RESET_CONTEXT).toString('base64') })
      return reply.code(204).send(null)
    },
  })
  const renew = async (request: FastifyRequest, reply: FastifyReply, given: { token: string; password: string }) => {
    await resetPassword(context, given.token, given.password, visitOf(request, context.site))
    return reply.code(204).send(null)
  }
  app.post('/auth/reset/password', {
    ...guarded,
    schema: {
      tags,
      summary: 'give a new password by the token of a link; all sessions end',
      body: NewPasswordByLink,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => renew(request, reply, request.body),
  })
  app.post('/auth/reset/:token', {
    ...guarded,
    schema: {
      tags,
      summary: 'give a new password by a link; all sessions end',
      description: `The same. ${IN_LOGS}`,
      params: TokenParams,
      body: NewPassword,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => renew(request, reply, { ...request.params, ...request.body }),
  })
}

/** Shows and accepts an invitation by its token. */
function invitationActs(context: SignInRoutes) {
  const { db, clock, site, sessions } = context
  return {
    async show(token: string): Promise<InvitationShown> {
      const { email, code, accountName, role, expiresAt, known } = await openInvitation(db, token, clock.now())
      return { email, account: { code, name: accountName }, role, known, expiresAt: expiresAt.toISOString() }
    },
    async accept(request: FastifyRequest, reply: FastifyReply, token: string, given: Acceptance): Promise<SignInState> {
      const cookie = readCookie(request, site, 'session')
      const session = cookie === undefined ? undefined : await sessions.find(cookie)
      const accepting = { given, locale: localeOf(request), signedIn: session?.person }
      const outcome = await acceptInvitation(context, token, accepting, visitOf(request, site))
      return outcome ? answer(request, reply, context, outcome) : { state: 'done' as const }
    },
  }
}

function invitationRoutes(app: App, context: SignInRoutes): void {
  const { show, accept } = invitationActs(context)
  const guarded = guardedBy(context)
  const KNOWN = 'Somebody who is known gives their own password, or is signed in already.'
  app.post('/auth/invitations', {
    ...guarded,
    schema: {
      tags,
      summary: 'what an invitation is to, by the token of its link',
      body: InvitationLink,
      response: { 200: InvitationShown },
    },
    handler: ({ body }) => show(body.token),
  })
  app.post('/auth/invitations/acceptance', {
    ...guarded,
    schema: {
      tags,
      summary: 'accept an invitation by the token of its link, and sign in',
      description: KNOWN,
      body: AcceptanceByLink,
      response: { 200: SignInState },
    },
    handler: (request, reply) => accept(request, reply, request.body.token, request.body),
  })
  const url = '/auth/invitations/:token'
  app.get(url, {
    config: { public: true },
    schema: {
      tags,
      summary: 'what an invitation is to',
      description: IN_LOGS,
      params: TokenParams,
      response: { 200: InvitationShown },
    },
    handler: ({ params }) => show(params.token),
  })
  app.post(url, {
    ...guarded,
    schema: {
      tags,
      summary: 'accept an invitation, and sign in',
      description: `${KNOWN} ${IN_LOGS}`,
      params: TokenParams,
      body: Acceptance,
      response: { 200: SignInState },
    },
    handler: (request, reply) => accept(request, reply, request.params.token, request.body),
  })
}

/** How people sign in; each route proves itself. */
export function signInRoutes(app: App, context: SignInRoutes): void {
  firstFactorRoutes(app, context)
  passkeyRoutes(app, context)
  secondFactorRoutes(app, context)
  resetRoutes(app, context)
  invitationRoutes(app, context)
}

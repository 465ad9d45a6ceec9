import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpApp } from '../../../http/app-type.ts'
import { readSiteCookie, requireSameSite, requireSecureTransport } from '../../../http/middleware/site.ts'
import { answerSignIn, negotiateLocale, readBrowserVisit } from '../../../http/middleware/visits.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit.ts'
import { enqueueTask } from '../../../jobs/enqueue.ts'
import { sealWithMasterKey } from '../../../lib/crypto/seal.ts'
import { assertNotTooEarly, Problem } from '../../../lib/errors/problem.ts'
import { toNetworkPrefix } from '../../../lib/net/networks.ts'
import type { SessionStore } from '../../../lib/sessions.ts'
import { createWindowCounter } from '../../../lib/time/window-counter.ts'
import { acceptInvitation, loadInvitationByToken } from '../members/invitations.ts'
import { RESET_EMAIL_CONTEXT, resetPassword, setUpFirstUser } from '../members/links.ts'
import { parseUserEmail } from '../people.ts'
import {
  AcceptanceByLinkBody,
  InvitationAcceptance,
  InvitationPreview,
  InvitationTokenBody,
  NewPasswordBody,
  NewPasswordByLinkBody,
  PasskeyOptions,
  PasskeySignInBody,
  PasswordResetBody,
  SecondFactorBody,
  SetUpBody,
  SignInBody,
  SignInResult,
} from '../people-schemas.ts'
import { auditRefusedSignIn } from '../told.ts'
import { countMailRequest } from './guessing.ts'
import { createBrowserCookie } from './known-browsers.ts'
import { createPasskeyOptions } from './passkeys.ts'
import {
  completeSecondFactor,
  findSignInAttemptUser,
  type SignInContext,
  type SignInOutcome,
  signInByPasskey,
  signInByPassword,
} from './sign-in.ts'

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
  requireSecureTransport(site)
  const { origin, referer } = request.headers
  const isPage = origin !== undefined || referer !== undefined || request.headers['sec-fetch-site'] !== undefined
  if (isPage || readSiteCookie(request, site, 'session') !== undefined) requireSameSite(request, site)
}

/** What the routes that change something have in common. */
function guardedBy(context: SignInContext) {
  const onRequest = async (request: FastifyRequest) => guard(request, context)
  return { config: { public: true, audit: AUDIT_EXEMPTIONS.signIn }, bodyLimit: BODY_LIMIT, onRequest }
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, masterKeys }: SignInContext,
  outcome: SignInOutcome,
): SignInResult {
  const known = readSiteCookie(request, site, 'known')
  return answerSignIn(reply, site, outcome, (email) => createBrowserCookie(masterKeys, known, email))
}

function firstFactorRoutes(app: HttpApp, context: SignInRoutes): void {
  const { site } = context
  const guarded = guardedBy(context)
  app.post('/auth/setup', {
    ...guarded,
    schema: {
      tags,
      summary: 'set up the first person, by the link of the first start',
      body: SetUpBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const given = { ...request.body, locale: negotiateLocale(request) }
      return answer(request, reply, context, await setUpFirstUser(context, given, readBrowserVisit(request, site)))
    },
  })
  app.post('/auth/sign-in', {
    ...guarded,
    schema: { tags, summary: 'sign in', body: SignInBody, response: { 200: SignInResult } },
    handler: async (request, reply) => {
      const visit = readBrowserVisit(request, site)
      const { body } = request
      return answer(
        request,
        reply,
        context,
        await auditRefusedSignIn(context, visit, body.email, () => signInByPassword(context, body, visit)),
      )
    },
  })
}

function passkeyRoutes(app: HttpApp, context: SignInRoutes): void {
  const { db, clock, site } = context
  const guarded = guardedBy(context)
  const asked = createWindowCounter(CHALLENGES, MINUTE_MS)
  app.post('/auth/passkey', {
    ...guarded,
    schema: {
      tags,
      summary: 'sign in by a passkey, which is both factors',
      body: PasskeySignInBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const visit = readBrowserVisit(request, site)
      const work = () => signInByPasskey(context, request.body.passkey, visit)
      return answer(request, reply, context, await auditRefusedSignIn(context, visit, undefined, work))
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
      assertNotTooEarly(asked(toNetworkPrefix(request.ip), clock.now()))
      const [token, attempt] = [readSiteCookie(request, site, 'session'), readSiteCookie(request, site, 'attempt')]
      const session = token === undefined ? undefined : await context.sessions.find(token)
      const person =
        session?.person ?? (attempt === undefined ? undefined : await findSignInAttemptUser(context, attempt))
      return (await createPasskeyOptions(db, site, person, clock.now())) as Record<string, unknown>
    },
  })
}

function secondFactorRoutes(app: HttpApp, context: SignInRoutes): void {
  const { site } = context
  app.post('/auth/second-factor', {
    ...guardedBy(context),
    schema: {
      tags,
      summary: 'give the second factor: a code, a recovery code or a passkey',
      body: SecondFactorBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const token = readSiteCookie(request, site, 'attempt')
      if (token === undefined) throw new Problem(401, 'sign-in-over', 'This sign-in is over: begin it again.')
      const given = { token, given: request.body }
      const visit = readBrowserVisit(request, site)
      const work = () => completeSecondFactor(context, given, visit)
      return answer(request, reply, context, await auditRefusedSignIn(context, visit, undefined, work))
    },
  })
}

function resetRoutes(app: HttpApp, context: SignInRoutes): void {
  const { db, masterKeys, clock } = context
  const guarded = guardedBy(context)
  app.post('/auth/reset', {
    ...guarded,
    schema: {
      tags,
      summary: 'have a link for a new password mailed',
      description: 'The answer is the same whether the email is known.',
      body: PasswordResetBody,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const email = parseUserEmail(request.body.email)
      await countMailRequest(db, masterKeys, { email, address: request.ip }, clock.now())
      await enqueueTask(db, 'people.reset', {
        email: sealWithMasterKey(masterKeys, email, RESET_EMAIL_CONTEXT).toString('base64'),
      })
      return reply.code(204).send(null)
    },
  })
  const renew = async (request: FastifyRequest, reply: FastifyReply, given: { token: string; password: string }) => {
    await resetPassword(context, given.token, given.password, readBrowserVisit(request, context.site))
    return reply.code(204).send(null)
  }
  app.post('/auth/reset/password', {
    ...guarded,
    schema: {
      tags,
      summary: 'give a new password by the token of a link; all sessions end',
      body: NewPasswordByLinkBody,
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
      body: NewPasswordBody,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => renew(request, reply, { ...request.params, ...request.body }),
  })
}

/** Shows and accepts an invitation by its token. */
function invitationActs(context: SignInRoutes) {
  const { db, clock, site, sessions } = context
  return {
    async show(token: string): Promise<InvitationPreview> {
      const { email, code, accountName, role, expiresAt, known } = await loadInvitationByToken(db, token, clock.now())
      return { email, account: { code, name: accountName }, role, known, expiresAt: expiresAt.toISOString() }
    },
    async accept(
      request: FastifyRequest,
      reply: FastifyReply,
      token: string,
      given: InvitationAcceptance,
    ): Promise<SignInResult> {
      const cookie = readSiteCookie(request, site, 'session')
      const session = cookie === undefined ? undefined : await sessions.find(cookie)
      const accepting = { given, locale: negotiateLocale(request), signedIn: session?.person }
      const outcome = await acceptInvitation(context, token, accepting, readBrowserVisit(request, site))
      return outcome ? answer(request, reply, context, outcome) : { state: 'done' as const }
    },
  }
}

function invitationRoutes(app: HttpApp, context: SignInRoutes): void {
  const { show, accept } = invitationActs(context)
  const guarded = guardedBy(context)
  const KNOWN = 'Somebody who is known gives their own password, or is signed in already.'
  app.post('/auth/invitations', {
    ...guarded,
    schema: {
      tags,
      summary: 'what an invitation is to, by the token of its link',
      body: InvitationTokenBody,
      response: { 200: InvitationPreview },
    },
    handler: ({ body }) => show(body.token),
  })
  app.post('/auth/invitations/acceptance', {
    ...guarded,
    schema: {
      tags,
      summary: 'accept an invitation by the token of its link, and sign in',
      description: KNOWN,
      body: AcceptanceByLinkBody,
      response: { 200: SignInResult },
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
      response: { 200: InvitationPreview },
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
      body: InvitationAcceptance,
      response: { 200: SignInResult },
    },
    handler: (request, reply) => accept(request, reply, request.params.token, request.body),
  })
}

/** How people sign in; each route proves itself. */
export function signInRoutes(app: HttpApp, context: SignInRoutes): void {
  firstFactorRoutes(app, context)
  passkeyRoutes(app, context)
  secondFactorRoutes(app, context)
  resetRoutes(app, context)
  invitationRoutes(app, context)
}

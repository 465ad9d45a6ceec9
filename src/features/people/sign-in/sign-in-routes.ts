import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { HttpApp } from '../../../http/app-type.ts'
import { readSiteCookie, requireSameSite, requireSecureTransport } from '../../../http/middleware/site.ts'
import { answerSignIn, negotiateLocale, readBrowserVisit } from '../../../http/middleware/visits.ts'
import { AUDIT_EXEMPTIONS } from '../../../http/resource/audit-requests.ts'
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
  signInRefusals,
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
const TOKEN_IN_LOGS_NOTICE =
  'The path contains the token, and proxies may log it; prefer the operation with the token in the body.'
const TokenParams = Type.Object({ token: Type.String({ maxLength: 200 }) })
/** Requests without a session need only small bodies. */
const BODY_LIMIT = 64 * 1024
/** Challenges that a process gives an address in a minute: each is a row. */
const MAX_CHALLENGES_PER_MINUTE = 60
const MINUTE_MS = 60_000

interface SignInRoutesContext extends SignInContext {
  sessions: SessionStore
}

/** Browsers say where a page comes from; who says nothing and has no session is no page. */
function assertSameOrigin(request: FastifyRequest, { site }: SignInContext): void {
  requireSecureTransport(site)
  const { origin, referer } = request.headers
  const isPage = origin !== undefined || referer !== undefined || request.headers['sec-fetch-site'] !== undefined
  if (isPage || readSiteCookie(request, site, 'session') !== undefined) requireSameSite(request, site)
}

/** Common options of routes that change something. */
function createGuardedOptions(context: SignInContext) {
  const onRequest = async (request: FastifyRequest) => assertSameOrigin(request, context)
  return { config: { public: true, audit: AUDIT_EXEMPTIONS.signIn }, bodyLimit: BODY_LIMIT, onRequest }
}

function answerWithCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  { site, masterKeys }: SignInContext,
  outcome: SignInOutcome,
): SignInResult {
  const knownCookie = readSiteCookie(request, site, 'known')
  return answerSignIn(reply, site, outcome, (email) => createBrowserCookie(masterKeys, knownCookie, email))
}

function registerFirstFactorRoutes(app: HttpApp, context: SignInRoutesContext): void {
  const { site } = context
  const guardedOptions = createGuardedOptions(context)
  app.post('/auth/setup', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Set up the first user',
      description:
        'Creates the first user with the token that the first start prints, and signs the user in. The user ' +
        'is an operator and an admin of the first account. The token works once, within 24 hours, and only ' +
        'while there is no user.',
      operationId: 'setUpFirstPerson',
      refusals: { ...signInRefusals, 409: 'passkeys-need-a-name person-exists already-member' },
      body: SetUpBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const signInInput = { ...request.body, locale: negotiateLocale(request) }
      return answerWithCookies(
        request,
        reply,
        context,
        await setUpFirstUser(context, signInInput, readBrowserVisit(request, site)),
      )
    },
  })
  app.post('/auth/sign-in', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Sign in with a password',
      description:
        'Checks email address and password and sets the session cookie. For a user with a second factor, ' +
        'returns `second-factor` and starts an attempt that is valid for 5 minutes. Repeated failures are ' +
        'refused with 429; an unknown email address is answered like a wrong password.',
      operationId: 'signIn',
      refusals: signInRefusals,
      body: SignInBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const visit = readBrowserVisit(request, site)
      const { body } = request
      return answerWithCookies(
        request,
        reply,
        context,
        await auditRefusedSignIn(context, visit, body.email, () => signInByPassword(context, body, visit)),
      )
    },
  })
}

function registerPasskeyRoutes(app: HttpApp, context: SignInRoutesContext): void {
  const { db, clock, site } = context
  const guardedOptions = createGuardedOptions(context)
  const challengeCounter = createWindowCounter(MAX_CHALLENGES_PER_MINUTE, MINUTE_MS)
  app.post('/auth/passkey', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Sign in with a passkey',
      description:
        'Signs the user in with the response of the authenticator, and sets the session cookie. A passkey ' +
        'counts as both factors.',
      operationId: 'signInByPasskey',
      refusals: { ...signInRefusals, 409: 'passkeys-need-a-name person-exists already-member' },
      body: PasskeySignInBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const visit = readBrowserVisit(request, site)
      const runSignIn = () => signInByPasskey(context, request.body.passkey, visit)
      return answerWithCookies(request, reply, context, await auditRefusedSignIn(context, visit, undefined, runSignIn))
    },
  })
  app.post('/auth/passkey/options', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Create the options of a passkey request',
      description:
        'Returns options for `navigator.credentials.get`: to sign in, to give the second factor, or to ' +
        'confirm a session. For a known user they list the passkeys of that user.',
      operationId: 'createPasskeyOptions',
      refusals: { ...signInRefusals, 409: 'passkeys-need-a-name person-exists already-member' },
      response: { 200: PasskeyOptions },
    },
    handler: async (request) => {
      assertNotTooEarly(challengeCounter(toNetworkPrefix(request.ip), clock.now()))
      const [token, attempt] = [readSiteCookie(request, site, 'session'), readSiteCookie(request, site, 'attempt')]
      const session = token === undefined ? undefined : await context.sessions.find(token)
      const person =
        session?.person ?? (attempt === undefined ? undefined : await findSignInAttemptUser(context, attempt))
      return (await createPasskeyOptions(db, site, person, clock.now())) as Record<string, unknown>
    },
  })
}

function registerSecondFactorRoutes(app: HttpApp, context: SignInRoutesContext): void {
  const { site } = context
  app.post('/auth/second-factor', {
    ...createGuardedOptions(context),
    schema: {
      tags,
      summary: 'Complete a sign-in with the second factor',
      description:
        'Accepts a code of the authenticator app, a recovery code or a passkey, and sets the session cookie. ' +
        'A code works once. Five failures end the attempt.',
      operationId: 'giveSecondFactor',
      refusals: signInRefusals,
      body: SecondFactorBody,
      response: { 200: SignInResult },
    },
    handler: async (request, reply) => {
      const token = readSiteCookie(request, site, 'attempt')
      if (token === undefined) throw new Problem(401, 'sign-in-over', 'This sign-in has expired. Start again.')
      const signInInput = { token, given: request.body }
      const visit = readBrowserVisit(request, site)
      const runSignIn = () => completeSecondFactor(context, signInInput, visit)
      return answerWithCookies(request, reply, context, await auditRefusedSignIn(context, visit, undefined, runSignIn))
    },
  })
}

/** The request of a reset link. */
const RESET_DESCRIPTION =
  'Sends a link for a new password by email; it is valid for one hour and for one use. The response is the same for ' +
  'unknown email addresses.'

const NEW_PASSWORD_DESCRIPTION =
  'Sets the password with the token of a reset link, and ends all sessions of the user. Does not sign in; the second ' +
  'factor remains required.'

function registerResetRoutes(app: HttpApp, context: SignInRoutesContext): void {
  const { db, masterKeys, clock } = context
  const guardedOptions = createGuardedOptions(context)
  app.post('/auth/reset', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Request a password reset',
      operationId: 'requestPasswordReset',
      refusals: signInRefusals,
      description: RESET_DESCRIPTION,
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
  const renew = async (
    request: FastifyRequest,
    reply: FastifyReply,
    resetInput: { token: string; password: string },
  ) => {
    await resetPassword(context, resetInput.token, resetInput.password, readBrowserVisit(request, context.site))
    return reply.code(204).send(null)
  }
  app.post('/auth/reset/password', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Set a new password',
      description: NEW_PASSWORD_DESCRIPTION,
      operationId: 'resetPasswordByLink',
      refusals: signInRefusals,
      body: NewPasswordByLinkBody,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => renew(request, reply, request.body),
  })
  app.post('/auth/reset/:token', {
    ...guardedOptions,
    schema: {
      tags,
      summary: 'Set a new password with a token in the path',
      operationId: 'resetPassword',
      refusals: signInRefusals,
      description: `Sets the password with a reset link, and ends all sessions of the user. ${TOKEN_IN_LOGS_NOTICE}`,
      params: TokenParams,
      body: NewPasswordBody,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => renew(request, reply, { ...request.params, ...request.body }),
  })
}

/** Shows and accepts an invitation by its token. */
function createInvitationActions(context: SignInRoutesContext) {
  const { db, clock, site, sessions } = context
  return {
    async show(token: string): Promise<InvitationPreview> {
      const {
        email,
        code,
        accountName,
        role,
        expiresAt,
        known: isKnownUser,
      } = await loadInvitationByToken(db, token, clock.now())
      return {
        email,
        account: { code, name: accountName },
        role,
        known: isKnownUser,
        expiresAt: expiresAt.toISOString(),
      }
    },
    async accept(
      request: FastifyRequest,
      reply: FastifyReply,
      token: string,
      acceptanceInput: InvitationAcceptance,
    ): Promise<SignInResult> {
      const cookie = readSiteCookie(request, site, 'session')
      const session = cookie === undefined ? undefined : await sessions.find(cookie)
      const accepting = { given: acceptanceInput, locale: negotiateLocale(request), signedIn: session?.person }
      const outcome = await acceptInvitation(context, token, accepting, readBrowserVisit(request, site))
      return outcome ? answerWithCookies(request, reply, context, outcome) : { state: 'done' as const }
    },
  }
}

/** The effect of an acceptance. */
const KNOWN_USER_DESCRIPTION =
  'Adds the user to the account and signs the user in. A new user gives a name and a password; an existing user gives ' +
  'the current password, unless signed in already, and then the second factor if there is one.'

const invitationSchema = {
  tags,
  refusals: { ...signInRefusals, 409: 'last-admin passkeys-need-a-name person-exists already-member' },
}

function registerInvitationRoutes(app: HttpApp, context: SignInRoutesContext): void {
  const { show, accept } = createInvitationActions(context)
  const guardedOptions = createGuardedOptions(context)
  app.post('/auth/invitations', {
    ...guardedOptions,
    schema: {
      ...invitationSchema,
      summary: 'Show an invitation',
      description:
        'Returns the account, role and expiry of an invitation that is neither accepted, expired nor replaced.',
      operationId: 'showInvitation',
      body: InvitationTokenBody,
      response: { 200: InvitationPreview },
    },
    handler: ({ body }) => show(body.token),
  })
  app.post('/auth/invitations/acceptance', {
    ...guardedOptions,
    schema: {
      ...invitationSchema,
      summary: 'Accept an invitation',
      operationId: 'acceptInvitationByLink',
      description: KNOWN_USER_DESCRIPTION,
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
      summary: 'Get an invitation',
      operationId: 'getInvitation',
      refusals: {
        ...signInRefusals,
        403: 'https-needed provider-refused not-invited',
        409: 'passkeys-need-a-name person-exists already-member',
      },
      description: `Returns an invitation that is neither accepted, expired nor replaced. ${TOKEN_IN_LOGS_NOTICE}`,
      params: TokenParams,
      response: { 200: InvitationPreview },
    },
    handler: ({ params }) => show(params.token),
  })
  app.post(url, {
    ...guardedOptions,
    schema: {
      ...invitationSchema,
      summary: 'Accept an invitation with a token in the path',
      operationId: 'acceptInvitation',
      description: `${KNOWN_USER_DESCRIPTION} ${TOKEN_IN_LOGS_NOTICE}`,
      params: TokenParams,
      body: InvitationAcceptance,
      response: { 200: SignInResult },
    },
    handler: (request, reply) => accept(request, reply, request.params.token, request.body),
  })
}

/** Sign-in routes. Each route authenticates its own requests. */
export function signInRoutes(app: HttpApp, context: SignInRoutesContext): void {
  registerFirstFactorRoutes(app, context)
  registerPasskeyRoutes(app, context)
  registerSecondFactorRoutes(app, context)
  registerResetRoutes(app, context)
  registerInvitationRoutes(app, context)
}

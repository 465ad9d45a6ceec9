import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { readBrowserVisit } from '../../http/middleware/visits.ts'
import { createAuditedDb, createAuditSnapshot, skipRequestAudit } from '../../http/resource/audit.ts'
import type { RequestUser } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { describeCallingApiKey, describeCallingUser } from './me.ts'
import { loadUser, loadUserResource, setUserPassword, updateUserProfile } from './people.ts'
import {
  CallerResource,
  NewPasskeyBody,
  NewPasskeyResult,
  PasskeyResource,
  PasswordChangeBody,
  RecoveryCodesResult,
  TotpSetUpBody,
  TotpSetUpResult,
  UserProfileBody,
  UserResource,
} from './people-schemas.ts'
import {
  recordSessionFactor,
  requireLiveSession,
  requireReauthentication,
  syncSessionFactors,
} from './sessions/sessions.ts'
import { addPasskey, createNewPasskeyOptions, listPasskeys, removePasskey } from './sign-in/passkeys.ts'
import { assertPasswordStrength } from './sign-in/passwords.ts'
import { hasRecoveryCodes, renewRecoveryCodes } from './sign-in/recovery-codes.ts'
import { requireUnchangedUser, type SignInContext, verifyUserPassword } from './sign-in/sign-in.ts'
import { confirmTotpSecret, proposeTotpSecret, removeTotpSecret } from './sign-in/totp.ts'

const tags = ['me']
const config = { session: 'own', audit: { object: 'person', id: null } } as const

/** A handle whose transaction tells what somebody changes of themselves; secrets by their names alone. */
function toldOwn(request: FastifyRequest, db: Db, said: object): Db {
  return createAuditedDb(request, db, { said, ...(request.person && { id: request.person.id }) })
}
const NONE = { 204: Type.Null() }

/** Who is signed in, with a password or passkey given lately. Throws 403 `confirm-again`. */
function confirmed({ person }: FastifyRequest, { clock }: SignInContext): RequestUser {
  if (!person) throw new Problem(401, 'unauthorized', 'Sign in.')
  requireReauthentication(person, clock.now())
  return person
}

function profileRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock, passwords, site } = context
  app.get('/me', {
    config: { account: 'optional' },
    schema: { tags, summary: 'who asks, where, and what they may do', response: { 200: CallerResource } },
    handler: ({ account, rights, person, actor }) => {
      const asking = { account, rights: rights ?? [] }
      if (person) return describeCallingUser(db, person, asking, clock.now())
      return describeCallingApiKey(db, { id: Number(actor?.id), name: actor?.name ?? '' }, asking)
    },
  })
  app.put('/me', {
    config,
    schema: { tags, summary: 'change one’s name and language', body: UserProfileBody, response: { 200: UserResource } },
    handler: async (request) => {
      const { id } = confirmed(request, context)
      const handle = createAuditedDb(request, db, { ...createAuditSnapshot((tx) => loadUserResource(tx, id)), id })
      await inTransaction(handle, (tx) => updateUserProfile(tx, id, request.body))
      return loadUserResource(db, id)
    },
  })
  app.put('/me/password', {
    config,
    schema: {
      tags,
      summary: 'change one’s password; all other sessions end',
      body: PasswordChangeBody,
      response: NONE,
    },
    handler: async (request, reply) => {
      const { id, email, session } = confirmed(request, context)
      await assertPasswordStrength(request.body.new, email, '/new')
      const judged = await verifyUserPassword(
        context,
        { email, password: request.body.old },
        readBrowserVisit(request, site),
      )
      const hash = await passwords.hash(request.body.new)
      await inTransaction(toldOwn(request, db, { password: 'new' }), async (tx) => {
        await requireUnchangedUser(tx, judged)
        await setUserPassword(tx, id, hash, session)
      })
      return reply.code(204).send(null)
    },
  })
}

function totpRoutes(app: HttpApp, context: SignInContext): void {
  const { db, masterKeys, clock } = context
  app.post('/me/totp', {
    config,
    schema: {
      tags,
      summary: 'add an app that shows codes',
      description:
        'Without a code: a new secret. With a code of it: that is in force, and the first time recovery codes are given.',
      body: Type.Union([TotpSetUpBody, Type.Null()]),
      response: { 200: TotpSetUpResult },
    },
    handler: async (request) => {
      const { id, email, session } = confirmed(request, context)
      const { code } = request.body ?? {}
      if (code === undefined) {
        skipRequestAudit(request)
        return proposeTotpSecret(db, masterKeys, { id, email })
      }
      return inTransaction(toldOwn(request, db, { totp: true }), async (tx) => {
        await requireLiveSession(tx, id, session)
        if (!(await confirmTotpSecret(tx, masterKeys, { person: id, code, now: clock.now() })))
          throw badRequestProblem('/code', 'is not the code that the app shows now for the secret given last')
        await recordSessionFactor(tx, session, 'totp')
        return (await hasRecoveryCodes(tx, id)) ? {} : { recovery: await renewRecoveryCodes(tx, id) }
      })
    },
  })
  app.delete('/me/totp', {
    config,
    schema: { tags, summary: 'take the app away', response: NONE },
    handler: async (request, reply) => {
      const { id } = confirmed(request, context)
      await inTransaction(toldOwn(request, db, { totp: false }), async (tx) => {
        if (!(await removeTotpSecret(tx, id))) throw notFoundProblem('app that shows codes', 'of yours')
        await syncSessionFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

function recoveryRoutes(app: HttpApp, context: SignInContext): void {
  const { db } = context
  app.post('/me/recovery', {
    config,
    schema: {
      tags,
      summary: 'have ten new recovery codes; those before are void',
      response: { 200: RecoveryCodesResult },
    },
    handler: async (request) => {
      const { id, session } = confirmed(request, context)
      return inTransaction(toldOwn(request, db, { recovery: 'new' }), async (tx) => {
        await requireLiveSession(tx, id, session)
        const { hasTotp, hasPasskey } = await loadUser(tx, id)
        if (!hasTotp && !hasPasskey)
          throw conflictProblem('no-second-factor', 'Recovery codes stand for a second factor: add one first.')
        return { recovery: await renewRecoveryCodes(tx, id) }
      })
    },
  })
}

function passkeyRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock, site } = context
  app.get('/me/passkeys', {
    config: { session: 'own' },
    schema: { tags, summary: 'list one’s passkeys', response: { 200: Type.Array(PasskeyResource) } },
    handler: (request) => listPasskeys(db, confirmed(request, context).id),
  })
  app.post('/me/passkeys', {
    config,
    schema: {
      tags,
      summary: 'add a passkey',
      description:
        'Without a passkey: the options to make one with. With what the authenticator answered: it is added.',
      body: Type.Union([NewPasskeyBody, Type.Null()]),
      response: { 200: NewPasskeyResult },
    },
    handler: async (request) => {
      const { id, session } = confirmed(request, context)
      const { name = 'Passkey', passkey: answer } = request.body ?? {}
      const person = await loadUser(db, id)
      if (answer === undefined) {
        skipRequestAudit(request)
        return { options: (await createNewPasskeyOptions(db, site, person, clock.now())) as Record<string, unknown> }
      }
      const handle = toldOwn(request, db, { passkey: name })
      const passkey = await addPasskey(handle, site, { person: id, session, name, answer }, clock.now())
      await recordSessionFactor(db, session, 'passkey')
      return { passkey }
    },
  })
  app.delete('/me/passkeys/:id', {
    config,
    schema: {
      tags,
      summary: 'delete a passkey',
      params: Type.Object({ id: Type.String() }),
      response: NONE,
    },
    handler: async (request, reply) => {
      const { id } = confirmed(request, context)
      await inTransaction(toldOwn(request, db, { removed: request.params.id }), async (tx) => {
        await removePasskey(tx, id, request.params.id)
        await syncSessionFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

/** What people change of themselves. */
export function ownUserRoutes(app: HttpApp, context: SignInContext): void {
  profileRoutes(app, context)
  totpRoutes(app, context)
  recoveryRoutes(app, context)
  passkeyRoutes(app, context)
}

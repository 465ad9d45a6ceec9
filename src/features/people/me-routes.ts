import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { readBrowserVisit } from '../../http/middleware/visits.ts'
import { createAuditedDb, createAuditSnapshot, skipRequestAudit } from '../../http/resource/audit-requests.ts'
import type { RequestUser } from '../../lib/account.ts'
import { badRequestProblem, conflictProblem, notFoundProblem, Problem } from '../../lib/errors/problem.ts'
import { describeCallingApiKey, describeCallingUser } from './me.ts'
import { loadUser, loadUserResource, setUserPassword, updateUserProfile } from './people.ts'
import {
  CallerResource,
  NewPasskeyBody,
  NewPasskeyResult,
  ownUserRefusals,
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
const passkeyRefusals = { ...ownUserRefusals, 409: 'passkey-known too-many-passkeys passkeys-need-a-name' }
const ownConfig = { session: 'own', audit: { object: 'person', id: null } } as const

/** Returns a handle whose transactions record the changes users make to themselves; secrets by name only. */
function createOwnAuditedDb(request: FastifyRequest, db: Db, auditDetails: object): Db {
  return createAuditedDb(request, db, { said: auditDetails, ...(request.person && { id: request.person.id }) })
}
const NO_CONTENT_RESPONSE = { 204: Type.Null() }

/** The signed-in user, who has recently entered a password or passkey. Throws 403 `confirm-again`. */
function requireReauthenticated({ person }: FastifyRequest, { clock }: SignInContext): RequestUser {
  if (!person) throw new Problem(401, 'unauthorized', 'Sign in.')
  requireReauthentication(person, clock.now())
  return person
}

function registerProfileRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock } = context
  app.get('/me', {
    config: { account: 'optional' },
    schema: {
      tags,
      summary: 'Get the caller',
      description:
        'Returns the signed-in user or the API key, with the account of the request and its rights. The ' +
        'account may be omitted.',
      refusals: ownUserRefusals,
      response: { 200: CallerResource },
    },
    handler: ({ account, rights, person, actor }) => {
      const callerContext = { account, rights: rights ?? [] }
      if (person) return describeCallingUser(db, person, callerContext, clock.now())
      return describeCallingApiKey(db, { id: Number(actor?.id), name: actor?.name ?? '' }, callerContext)
    },
  })
  app.put('/me', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Update your profile',
      description:
        'Changes the name and language of the signed-in user. Requires a password or passkey confirmed in ' +
        'the last 10 minutes; otherwise 403 `confirm-again`.',
      refusals: ownUserRefusals,
      body: UserProfileBody,
      response: { 200: UserResource },
    },
    handler: async (request) => {
      const { id } = requireReauthenticated(request, context)
      const auditedDb = createAuditedDb(request, db, { ...createAuditSnapshot((tx) => loadUserResource(tx, id)), id })
      await inTransaction(auditedDb, (tx) => updateUserProfile(tx, id, request.body))
      return loadUserResource(db, id)
    },
  })
}

function registerPasswordRoute(app: HttpApp, context: SignInContext): void {
  const { db, passwords, site } = context
  app.put('/me/password', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Change your password',
      description:
        'Replaces the password and ends all other sessions of the user. Requires the current password, and a ' +
        'password or passkey confirmed in the last 10 minutes.',
      operationId: 'changePassword',
      refusals: ownUserRefusals,
      body: PasswordChangeBody,
      response: NO_CONTENT_RESPONSE,
    },
    handler: async (request, reply) => {
      const { id, email, session } = requireReauthenticated(request, context)
      await assertPasswordStrength(request.body.new, email, '/new')
      const verifiedUser = await verifyUserPassword(
        context,
        { email, password: request.body.old },
        readBrowserVisit(request, site),
      )
      const passwordHash = await passwords.hash(request.body.new)
      await inTransaction(createOwnAuditedDb(request, db, { password: 'new' }), async (tx) => {
        await requireUnchangedUser(tx, verifiedUser)
        await setUserPassword(tx, id, passwordHash, session)
      })
      return reply.code(204).send(null)
    },
  })
}

function registerTotpRoutes(app: HttpApp, context: SignInContext): void {
  const { db, masterKeys, clock } = context
  app.post('/me/totp', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Add an authenticator app',
      operationId: 'addTotp',
      refusals: { ...ownUserRefusals, 409: 'no-second-factor' },
      description:
        'Without `code`, proposes a new secret. With a code of that secret, puts it into effect; recovery ' +
        'codes are returned if the user has none. The previous app works until then. Requires a password or ' +
        'passkey confirmed in the last 10 minutes.',
      body: Type.Union([TotpSetUpBody, Type.Null()]),
      response: { 200: TotpSetUpResult },
    },
    handler: async (request) => {
      const { id, email, session } = requireReauthenticated(request, context)
      const { code } = request.body ?? {}
      if (code === undefined) {
        skipRequestAudit(request)
        return proposeTotpSecret(db, masterKeys, { id, email })
      }
      return inTransaction(createOwnAuditedDb(request, db, { totp: true }), async (tx) => {
        await requireLiveSession(tx, id, session)
        if (!(await confirmTotpSecret(tx, masterKeys, { person: id, code, now: clock.now() })))
          throw badRequestProblem('/code', 'is not the current code of the app for the latest secret')
        await recordSessionFactor(tx, session, 'totp')
        return (await hasRecoveryCodes(tx, id)) ? {} : { recovery: await renewRecoveryCodes(tx, id) }
      })
    },
  })
  app.delete('/me/totp', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Remove the authenticator app',
      description:
        'Removes the app as a second factor. Requires a password or passkey confirmed in the last 10 minutes.',
      operationId: 'removeTotp',
      refusals: { ...ownUserRefusals, 409: 'no-second-factor' },
      response: NO_CONTENT_RESPONSE,
    },
    handler: async (request, reply) => {
      const { id } = requireReauthenticated(request, context)
      await inTransaction(createOwnAuditedDb(request, db, { totp: false }), async (tx) => {
        if (!(await removeTotpSecret(tx, id))) throw notFoundProblem('authenticator app', 'for your user')
        await syncSessionFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

function registerRecoveryRoutes(app: HttpApp, context: SignInContext): void {
  const { db } = context
  app.post('/me/recovery', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Renew the recovery codes',
      description:
        'Creates ten recovery codes and invalidates all previous ones. Refused with 409 if the user has no ' +
        'second factor. Requires a password or passkey confirmed in the last 10 minutes.',
      operationId: 'renewRecoveryCodes',
      refusals: { ...ownUserRefusals, 409: 'no-second-factor' },
      response: { 200: RecoveryCodesResult },
    },
    handler: async (request) => {
      const { id, session } = requireReauthenticated(request, context)
      return inTransaction(createOwnAuditedDb(request, db, { recovery: 'new' }), async (tx) => {
        await requireLiveSession(tx, id, session)
        const { hasTotp, hasPasskey } = await loadUser(tx, id)
        if (!hasTotp && !hasPasskey)
          throw conflictProblem('no-second-factor', 'Recovery codes require a second factor. Add one first.')
        return { recovery: await renewRecoveryCodes(tx, id) }
      })
    },
  })
}

function registerPasskeyRoutes(app: HttpApp, context: SignInContext): void {
  const { db, clock, site } = context
  app.get('/me/passkeys', {
    config: { session: 'own' },
    schema: {
      tags,
      summary: 'List your passkeys',
      description:
        'Returns the passkeys of the signed-in user. Requires a password or passkey confirmed in the last 10 ' +
        'minutes.',
      operationId: 'listPasskeys',
      refusals: passkeyRefusals,
      response: { 200: Type.Array(PasskeyResource) },
    },
    handler: (request) => listPasskeys(db, requireReauthenticated(request, context).id),
  })
  app.post('/me/passkeys', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Add a passkey',
      operationId: 'addPasskey',
      refusals: passkeyRefusals,
      description:
        'Without `passkey`, returns the options to create one with `navigator.credentials.create`. With the ' +
        'response of the authenticator, adds the passkey; a user has at most 20. Requires a password or ' +
        'passkey confirmed in the last 10 minutes.',
      body: Type.Union([NewPasskeyBody, Type.Null()]),
      response: { 200: NewPasskeyResult },
    },
    handler: async (request) => {
      const { id, session } = requireReauthenticated(request, context)
      const { name = 'Passkey', passkey: passkeyResponse } = request.body ?? {}
      const person = await loadUser(db, id)
      if (passkeyResponse === undefined) {
        skipRequestAudit(request)
        return { options: (await createNewPasskeyOptions(db, site, person, clock.now())) as Record<string, unknown> }
      }
      const auditedDb = createOwnAuditedDb(request, db, { passkey: name })
      const passkey = await addPasskey(
        auditedDb,
        site,
        { person: id, session, name, answer: passkeyResponse },
        clock.now(),
      )
      await recordSessionFactor(db, session, 'passkey')
      return { passkey }
    },
  })
}

function registerPasskeyRemoval(app: HttpApp, context: SignInContext): void {
  const { db } = context
  app.delete('/me/passkeys/:id', {
    config: ownConfig,
    schema: {
      tags,
      summary: 'Delete a passkey',
      description:
        'Deletes a passkey of the signed-in user; it can no longer be used to sign in. Requires a password ' +
        'or passkey confirmed in the last 10 minutes.',
      operationId: 'deletePasskey',
      refusals: passkeyRefusals,
      params: Type.Object({ id: Type.String() }),
      response: NO_CONTENT_RESPONSE,
    },
    handler: async (request, reply) => {
      const { id } = requireReauthenticated(request, context)
      await inTransaction(createOwnAuditedDb(request, db, { removed: request.params.id }), async (tx) => {
        await removePasskey(tx, id, request.params.id)
        await syncSessionFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

/** Routes for the changes users make to themselves. */
export function ownUserRoutes(app: HttpApp, context: SignInContext): void {
  registerProfileRoutes(app, context)
  registerPasswordRoute(app, context)
  registerTotpRoutes(app, context)
  registerRecoveryRoutes(app, context)
  registerPasskeyRoutes(app, context)
  registerPasskeyRemoval(app, context)
}

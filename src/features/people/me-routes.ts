import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { visitOf } from '../../http/middleware/visits.ts'
import { leaveUntold, lookOf, told } from '../../http/resource/audit.ts'
import type { SignedIn } from '../../lib/account.ts'
import { badRequest, conflict, notFound, Problem } from '../../lib/errors/problem.ts'
import { describeKey, describePerson } from './me.ts'
import { loadPerson, setPassword, showPerson, updateProfile } from './people.ts'
import {
  Me,
  PasskeyAdded,
  PasskeyRequest,
  PasskeyShown,
  PasswordChange,
  Person,
  Profile,
  RecoveryCodes,
  TotpAnswer,
  TotpRequest,
} from './people-schemas.ts'
import { keepFactors, noteFactor, requireConfirmed, requireLive } from './sessions/sessions.ts'
import { addPasskey, listPasskeys, registrationOptions, removePasskey } from './sign-in/passkeys.ts'
import { checkPassword } from './sign-in/passwords.ts'
import { hasRecoveryCodes, renewRecoveryCodes } from './sign-in/recovery-codes.ts'
import { judgePassword, requireUnchanged, type SignInContext } from './sign-in/sign-in.ts'
import { acceptTotp, proposeTotp, removeTotp } from './sign-in/totp.ts'

const tags = ['me']
const config = { session: 'own', audit: { object: 'person', id: null } } as const

/** A handle whose transaction tells what somebody changes of themselves; secrets by their names alone. */
function toldOwn(request: FastifyRequest, db: Db, said: object): Db {
  return told(request, db, { said, ...(request.person && { id: request.person.id }) })
}
const NONE = { 204: Type.Null() }

/** Who is signed in, with a password or passkey given lately. Throws 403 `confirm-again`. */
function confirmed({ person }: FastifyRequest, { clock }: SignInContext): SignedIn {
  if (!person) throw new Problem(401, 'unauthorized', 'Sign in.')
  requireConfirmed(person, clock.now())
  return person
}

function profileRoutes(app: App, context: SignInContext): void {
  const { db, clock, passwords, site } = context
  app.get('/me', {
    config: { account: 'optional' },
    schema: { tags, summary: 'who asks, where, and what they may do', response: { 200: Me } },
    handler: ({ account, rights, person, actor }) => {
      const asking = { account, rights: rights ?? [] }
      if (person) return describePerson(db, person, asking, clock.now())
      return describeKey(db, { id: Number(actor?.id), name: actor?.name ?? '' }, asking)
    },
  })
  app.put('/me', {
    config,
    schema: { tags, summary: 'change one’s name and language', body: Profile, response: { 200: Person } },
    handler: async (request) => {
      const { id } = confirmed(request, context)
      const handle = told(request, db, { ...lookOf((tx) => showPerson(tx, id)), id })
      await inTransaction(handle, (tx) => updateProfile(tx, id, request.body))
      return showPerson(db, id)
    },
  })
  app.put('/me/password', {
    config,
    schema: {
      tags,
      summary: 'change one’s password; all other sessions end',
      body: PasswordChange,
      response: NONE,
    },
    handler: async (request, reply) => {
      const { id, email, session } = confirmed(request, context)
      await checkPassword(request.body.new, email, '/new')
      const judged = await judgePassword(context, { email, password: request.body.old }, visitOf(request, site))
      const hash = await passwords.hash(request.body.new)
      await inTransaction(toldOwn(request, db, { password: 'new' }), async (tx) => {
        await requireUnchanged(tx, judged)
        await setPassword(tx, id, hash, session)
      })
      return reply.code(204).send(null)
    },
  })
}

function totpRoutes(app: App, context: SignInContext): void {
  const { db, masterKeys, clock } = context
  app.post('/me/totp', {
    config,
    schema: {
      tags,
      summary: 'add an app that shows codes',
      description:
        'Without a code: a new secret. With a code of it: that is in force, and the first time recovery codes are given.',
      body: Type.Union([TotpRequest, Type.Null()]),
      response: { 200: TotpAnswer },
    },
    handler: async (request) => {
      const { id, email, session } = confirmed(request, context)
      const { code } = request.body ?? {}
      if (code === undefined) {
        leaveUntold(request)
        return proposeTotp(db, masterKeys, { id, email })
      }
      return inTransaction(toldOwn(request, db, { totp: true }), async (tx) => {
        await requireLive(tx, id, session)
        if (!(await acceptTotp(tx, masterKeys, { person: id, code, now: clock.now() })))
          throw badRequest('/code', 'is not the code that the app shows now for the secret given last')
        await noteFactor(tx, session, 'totp')
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
        if (!(await removeTotp(tx, id))) throw notFound('app that shows codes', 'of yours')
        await keepFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

function recoveryRoutes(app: App, context: SignInContext): void {
  const { db } = context
  app.post('/me/recovery', {
    config,
    schema: { tags, summary: 'have ten new recovery codes; those before are void', response: { 200: RecoveryCodes } },
    handler: async (request) => {
      const { id, session } = confirmed(request, context)
      return inTransaction(toldOwn(request, db, { recovery: 'new' }), async (tx) => {
        await requireLive(tx, id, session)
        const { hasTotp, hasPasskey } = await loadPerson(tx, id)
        if (!hasTotp && !hasPasskey)
          throw conflict('no-second-factor', 'Recovery codes stand for a second factor: add one first.')
        return { recovery: await renewRecoveryCodes(tx, id) }
      })
    },
  })
}

function passkeyRoutes(app: App, context: SignInContext): void {
  const { db, clock, site } = context
  app.get('/me/passkeys', {
    config: { session: 'own' },
    schema: { tags, summary: 'list one’s passkeys', response: { 200: Type.Array(PasskeyShown) } },
    handler: (request) => listPasskeys(db, confirmed(request, context).id),
  })
  app.post('/me/passkeys', {
    config,
    schema: {
      tags,
      summary: 'add a passkey',
      description:
        'Without a passkey: the options to make one with. With what the authenticator answered: it is added.',
      body: Type.Union([PasskeyRequest, Type.Null()]),
      response: { 200: PasskeyAdded },
    },
    handler: async (request) => {
      const { id, session } = confirmed(request, context)
      const { name = 'Passkey', passkey: answer } = request.body ?? {}
      const person = await loadPerson(db, id)
      if (answer === undefined) {
        leaveUntold(request)
        return { options: (await registrationOptions(db, site, person, clock.now())) as Record<string, unknown> }
      }
      const handle = toldOwn(request, db, { passkey: name })
      const passkey = await addPasskey(handle, site, { person: id, session, name, answer }, clock.now())
      await noteFactor(db, session, 'passkey')
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
        await keepFactors(tx, id)
      })
      return reply.code(204).send(null)
    },
  })
}

/** What people change of themselves. */
export function meRoutes(app: App, context: SignInContext): void {
  profileRoutes(app, context)
  totpRoutes(app, context)
  recoveryRoutes(app, context)
  passkeyRoutes(app, context)
}

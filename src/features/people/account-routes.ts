import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { ServiceContext } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { secondFactorProblem } from '../../http/middleware/persons.ts'
import { createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { createAccount, findAccount, listAccounts, parseAccountCode, renameAccount } from '../accounts/accounts.ts'
import { readMemberSettings } from '../accounts/people-settings.ts'
import { AccountChangeBody, AccountResource, NewAccountBody } from './people-schemas.ts'

const tags = ['accounts']

/** Adds the defaults of a new account. Later features provide them. */
export type AddAccountDefaults = (db: Db, account: AccountId, now: Date) => Promise<void>

async function listAccountResources(db: Db): Promise<AccountResource[]> {
  const rows = await listAccounts(db)
  return rows.map(({ account, name, made: creationTime }) => ({
    code: account,
    name,
    createdAt: creationTime.toISOString(),
  }))
}

async function loadAccountResource(db: Db, code: string): Promise<AccountResource> {
  const accountResource = (await listAccountResources(db)).find((account) => account.code === code)
  if (!accountResource) throw notFoundProblem('account', code)
  return accountResource
}

/** True if a person or key is admin of an account. */
async function isAdminOf(
  db: Db,
  { person, account: ownAccount, rights }: FastifyRequest,
  account: AccountId,
): Promise<boolean> {
  if (!person) return ownAccount === account && rights?.includes('admin') === true
  const membership = await db
    .selectFrom('memberships')
    .select('role')
    .where('person', '=', person.id)
    .where('account', '=', account)
    .executeTakeFirst()
  return membership?.role === 'admin'
}

/**
 * The account of a path: any to an operator, to others their own where they are admin. Throws notFound, and 403
 * `second-factor-required` to an admin without one where the account asks for it.
 */
async function requireChangeableAccount(db: Db, request: FastifyRequest, code: string): Promise<AccountId> {
  const { person } = request
  const account = await findAccount(db, code)
  if (person?.operator) return account
  if (!(await isAdminOf(db, request, account))) throw notFoundProblem('account', code)
  if (person && !person.hasSecondFactor && (await readMemberSettings(db, account)).requireSecondFactor)
    throw secondFactorProblem(code)
  return account
}

function registerRenameRoute(app: HttpApp, db: Db): void {
  app.put('/accounts/:code', {
    config: { account: 'optional', audit: { object: 'account', id: 'code' } },
    schema: {
      tags,
      summary: 'Update an account',
      description: 'Changes the name of the account. Operators may change any account, admins their own.',
      refusals: { 403: 'session-required', 409: 'account-taken' },
      params: Type.Object({ code: Type.String() }),
      body: AccountChangeBody,
      response: { 200: AccountResource },
    },
    handler: async (request) => {
      const code = request.params.code.toUpperCase()
      const account = await requireChangeableAccount(db, request, code)
      const { name } = request.body
      const auditedDb = createAuditedDb(request, db, {
        ...createAuditSnapshot((tx) => loadAccountResource(tx, code)),
        account,
      })
      await inTransaction(auditedDb, async (tx) => {
        if (name !== undefined) await renameAccount(tx, account, name)
      })
      return loadAccountResource(db, code)
    },
  })
}

/** The accounts of the installation. */
export function accountRoutes(app: HttpApp, { db, clock }: ServiceContext, addDefaults: AddAccountDefaults): void {
  app.get('/accounts', {
    config: { operator: true },
    schema: {
      tags,
      summary: 'List accounts',
      description: 'Returns all accounts of the installation. Only operators may call it.',
      refusals: { 403: 'session-required', 409: 'account-taken' },
      response: { 200: Type.Array(AccountResource) },
    },
    handler: () => listAccountResources(db),
  })
  app.post('/accounts', {
    config: { operator: true, audit: { object: 'account' } },
    schema: {
      tags,
      summary: 'Create an account',
      description:
        'Creates an account with its default objects and settings. Only operators may call it. Refused with ' +
        '409 if the code is taken.',
      refusals: { 403: 'session-required', 409: 'account-taken' },
      body: NewAccountBody,
      response: { 200: AccountResource },
    },
    handler: async (request) => {
      const { body } = request
      const identity = parseAccountCode(body.code)
      if (!identity) throw badRequestProblem('/code', 'must be 4 and 3 letters or digits, such as ACME001')
      const now = new Date(clock.now())
      const auditedDb = createAuditedDb(request, db, {
        id: body.code,
        after: (tx) => loadAccountResource(tx, body.code),
      })
      await createAccount(auditedDb, identity, body.name, (tx, account) => addDefaults(tx, account, now))
      return loadAccountResource(db, body.code)
    },
  })
  registerRenameRoute(app, db)
}

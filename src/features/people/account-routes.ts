import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Context } from '../../context.ts'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { secondFactorRequired } from '../../http/middleware/persons.ts'
import { lookOf, told } from '../../http/resource/audit.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, notFound } from '../../lib/errors/problem.ts'
import { createAccount, findAccount, listAccounts, readIdentity, renameAccount } from '../accounts/accounts.ts'
import { readPeopleSettings } from '../accounts/people-settings.ts'
import { Account, AccountChange, NewAccount } from './people-schemas.ts'

const tags = ['accounts']

/** What a new account starts with: made by features to the right. */
export type AddDefaults = (db: Db, account: AccountId, now: Date) => Promise<void>

async function shownAccounts(db: Db): Promise<Account[]> {
  const rows = await listAccounts(db)
  return rows.map(({ account, name, made }) => ({ code: account, name, createdAt: made.toISOString() }))
}

async function show(db: Db, code: string): Promise<Account> {
  const found = (await shownAccounts(db)).find((account) => account.code === code)
  if (!found) throw notFound('account', code)
  return found
}

/** Whether a person or key is admin of an account. */
async function isAdminOf(
  db: Db,
  { person, account: own, rights }: FastifyRequest,
  account: AccountId,
): Promise<boolean> {
  if (!person) return own === account && rights?.includes('admin') === true
  const member = await db
    .selectFrom('memberships')
    .select('role')
    .where('person', '=', person.id)
    .where('account', '=', account)
    .executeTakeFirst()
  return member?.role === 'admin'
}

/**
 * The account of a path: any to an operator, to others their own where they are admin. Throws notFound, and 403
 * `second-factor-required` to an admin without one where the account asks for it.
 */
async function changeable(db: Db, request: FastifyRequest, code: string): Promise<AccountId> {
  const { person } = request
  const account = await findAccount(db, code)
  if (person?.operator) return account
  if (!(await isAdminOf(db, request, account))) throw notFound('account', code)
  if (person && !person.hasSecondFactor && (await readPeopleSettings(db, account)).requireSecondFactor)
    throw secondFactorRequired(code)
  return account
}

/** The accounts of the installation. */
export function accountRoutes(app: App, { db, clock }: Context, addDefaults: AddDefaults): void {
  app.get('/accounts', {
    config: { operator: true },
    schema: { tags, summary: 'list the accounts of the installation', response: { 200: Type.Array(Account) } },
    handler: () => shownAccounts(db),
  })
  app.post('/accounts', {
    config: { operator: true, audit: { object: 'account' } },
    schema: { tags, summary: 'make an account', body: NewAccount, response: { 200: Account } },
    handler: async (request) => {
      const { body } = request
      const identity = readIdentity(body.code)
      if (!identity) throw badRequest('/code', 'must be 4 and 3 letters or digits, such as ACME001')
      const now = new Date(clock.now())
      const handle = told(request, db, { id: body.code, after: (tx) => show(tx, body.code) })
      await createAccount(handle, identity, body.name, (tx, account) => addDefaults(tx, account, now))
      return show(db, body.code)
    },
  })
  app.put('/accounts/:code', {
    config: { account: 'optional', audit: { object: 'account', id: 'code' } },
    schema: {
      tags,
      summary: 'change what an account is called',
      params: Type.Object({ code: Type.String() }),
      body: AccountChange,
      response: { 200: Account },
    },
    handler: async (request) => {
      const code = request.params.code.toUpperCase()
      const account = await changeable(db, request, code)
      const { name } = request.body
      const handle = told(request, db, { ...lookOf((tx) => show(tx, code)), account })
      await inTransaction(handle, async (tx) => {
        if (name !== undefined) await renameAccount(tx, account, name)
      })
      return show(db, code)
    },
  })
}

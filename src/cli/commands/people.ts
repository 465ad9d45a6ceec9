import type { ServiceConfig } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { findAccount } from '../../features/accounts/accounts.ts'
import { inviteMember } from '../../features/people/members/invitations.ts'
import { buildConsoleLink, createPasswordResetToken } from '../../features/people/members/links.ts'
import { setUserActive, setUserOperator } from '../../features/people/members/members.ts'
import { findUser, listAllUsers, parseUserEmail, type UserRow } from '../../features/people/people.ts'
import { removeSecondFactors } from '../../features/people/sessions/sessions.ts'
import { type MemberRole, memberRoles } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { type AuditedCommand, inAuditedTransaction } from '../told.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** Where people open the console; without a public address that of a service on this machine. */
function publicUrlOf({ publicUrl, httpPort }: ServiceConfig): string {
  return publicUrl === '' ? `http://localhost:${httpPort}` : publicUrl
}

function emailOf(words: readonly string[]): string {
  if (words[1] === undefined) throw new UsageError('Name the person by their email.')
  return parseUserEmail(words[1], 'EMAIL')
}

async function personOf(db: Db, words: readonly string[]): Promise<UserRow> {
  const email = emailOf(words)
  const person = await findUser(db, { email })
  if (!person) throw notFoundProblem('person', email)
  return person
}

function roleOf(options: CommandInvocation['options']): MemberRole {
  const given = requireOptionValue(options, 'role')
  const role = memberRoles.find((candidate) => candidate === given)
  if (!role) throw new UsageError(`"${given}" is no role; they are ${memberRoles.join(', ')}.`)
  return role
}

function toldOf(word: string, { id, name }: UserRow): AuditedCommand {
  return { operation: `people ${word}`, account: null, object: { type: 'person', id, name } }
}

async function sendInvitation(db: Db, { words, options, config }: CommandInvocation): Promise<void> {
  const account = await findAccount(db, requireOptionValue(options, 'account'))
  const invited = { account, email: emailOf(words), role: roleOf(options) }
  const { token } = await inAuditedTransaction(
    db,
    (tx) => inviteMember(tx, invited, systemClock.now()),
    ({ invitation: { id, role } }) => ({
      ...{ operation: 'people invite', account, object: { type: 'invitation', id, name: null }, said: { role } },
    }),
  )
  const link = buildConsoleLink(publicUrlOf(config), 'invitation', token)
  process.stdout.write(`Give them this link, shown this once; it is good for 7 days, and once:\n${link}\n`)
}

async function list(db: Db): Promise<void> {
  const people = await listAllUsers(db)
  printTable(
    people.map(({ email, name, active, operator, secondFactor, lastSignInAt, memberships }) => ({
      ...{ email, name, active, operator },
      'second factor': secondFactor,
      'last sign-in': lastSignInAt ?? 'never',
      roles: memberships.map(({ account, role }) => `${account}:${role}`).join(' '),
    })),
  )
}

async function reset(db: Db, { words, options, config }: CommandInvocation): Promise<void> {
  const person = await personOf(db, words)
  const losesFactors = options['second-factor'] === true
  const token = await inAuditedTransaction(
    db,
    async (tx) => {
      if (losesFactors) await removeSecondFactors(tx, person.id)
      return createPasswordResetToken(tx, person.id, { mailed: false, now: systemClock.now() })
    },
    () => ({ ...toldOf('reset', person), said: { secondFactor: losesFactors ? 'taken away' : 'kept' } }),
  )
  if (losesFactors)
    process.stdout.write('Codes and passkeys are taken away: a password is enough until new ones are added.\n')
  const link = buildConsoleLink(publicUrlOf(config), 'reset', token)
  process.stdout.write(`Give them this link, shown this once; it is good for an hour, and once:\n${link}\n`)
}

async function activate(db: Db, { words }: CommandInvocation, active: boolean): Promise<void> {
  const person = await personOf(db, words)
  await inAuditedTransaction(
    db,
    (tx) => setUserActive(tx, person.id, active),
    () => ({ ...toldOf(active ? 'activate' : 'deactivate', person), said: { active } }),
  )
  process.stdout.write(active ? 'Active again.\n' : 'Deactivated: their sessions end within a second.\n')
}

async function operator(db: Db, { words, options }: CommandInvocation): Promise<void> {
  const isOperator = !options['off']
  const person = await personOf(db, words)
  await inAuditedTransaction(
    db,
    (tx) => setUserOperator(tx, person.id, isOperator),
    () => ({ ...toldOf('operator', person), said: { operator: isOperator } }),
  )
  process.stdout.write(
    isOperator ? 'An operator now: may do everything in every account.\n' : 'No operator any more.\n',
  )
}

/** `stentor people invite|list|reset|deactivate|activate|operator`. Links are printed once and kept nowhere. */
export const peopleCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const work: Record<string, () => Promise<void>> = {
      invite: () => sendInvitation(db, invocation),
      list: () => list(db),
      reset: () => reset(db, invocation),
      deactivate: () => activate(db, invocation, false),
      activate: () => activate(db, invocation, true),
      operator: () => operator(db, invocation),
    }
    const [word = ''] = invocation.words
    const found = Object.hasOwn(work, word) ? work[word] : undefined
    if (!found)
      throw new UsageError(
        'Say people invite, people list, people reset, people deactivate, people activate or people operator.',
      )
    await found()
    return 0
  })

import type { Config } from '../../config.ts'
import type { Db } from '../../database/connection/connect.ts'
import { findAccount } from '../../features/accounts/accounts.ts'
import { invite } from '../../features/people/members/invitations.ts'
import { consoleLink, makeReset } from '../../features/people/members/links.ts'
import { setActive, setOperator } from '../../features/people/members/members.ts'
import { findPerson, listEverybody, type PersonRow, readEmail } from '../../features/people/people.ts'
import { removeFactors } from '../../features/people/sessions/sessions.ts'
import { type PersonRole, personRoles } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { inToldTransaction, type ToldCommand } from '../told.ts'
import { type Command, type Invocation, printTable, required, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** Where people open the console; without a public address that of a service on this machine. */
function publicUrlOf({ publicUrl, httpPort }: Config): string {
  return publicUrl === '' ? `http://localhost:${httpPort}` : publicUrl
}

function emailOf(words: readonly string[]): string {
  if (words[1] === undefined) throw new UsageError('Name the person by their email.')
  return readEmail(words[1], 'EMAIL')
}

async function personOf(db: Db, words: readonly string[]): Promise<PersonRow> {
  const email = emailOf(words)
  const person = await findPerson(db, { email })
  if (!person) throw notFound('person', email)
  return person
}

function roleOf(options: Invocation['options']): PersonRole {
  const given = required(options, 'role')
  const role = personRoles.find((candidate) => candidate === given)
  if (!role) throw new UsageError(`"${given}" is no role; they are ${personRoles.join(', ')}.`)
  return role
}

function toldOf(word: string, { id, name }: PersonRow): ToldCommand {
  return { operation: `people ${word}`, account: null, object: { type: 'person', id, name } }
}

async function sendInvitation(db: Db, { words, options, config }: Invocation): Promise<void> {
  const account = await findAccount(db, required(options, 'account'))
  const invited = { account, email: emailOf(words), role: roleOf(options) }
  const { token } = await inToldTransaction(
    db,
    (tx) => invite(tx, invited, systemClock.now()),
    ({ invitation: { id, role } }) => ({
      ...{ operation: 'people invite', account, object: { type: 'invitation', id, name: null }, said: { role } },
    }),
  )
  const link = consoleLink(publicUrlOf(config), 'invitation', token)
  process.stdout.write(`Give them this link, shown this once; it is good for 7 days, and once:\n${link}\n`)
}

async function list(db: Db): Promise<void> {
  const people = await listEverybody(db)
  printTable(
    people.map(({ email, name, active, operator, secondFactor, lastSignInAt, memberships }) => ({
      ...{ email, name, active, operator },
      'second factor': secondFactor,
      'last sign-in': lastSignInAt ?? 'never',
      roles: memberships.map(({ account, role }) => `${account}:${role}`).join(' '),
    })),
  )
}

async function reset(db: Db, { words, options, config }: Invocation): Promise<void> {
  const person = await personOf(db, words)
  const losesFactors = options['second-factor'] === true
  const token = await inToldTransaction(
    db,
    async (tx) => {
      if (losesFactors) await removeFactors(tx, person.id)
      return makeReset(tx, person.id, { mailed: false, now: systemClock.now() })
    },
    () => ({ ...toldOf('reset', person), said: { secondFactor: losesFactors ? 'taken away' : 'kept' } }),
  )
  if (losesFactors)
    process.stdout.write('Codes and passkeys are taken away: a password is enough until new ones are added.\n')
  const link = consoleLink(publicUrlOf(config), 'reset', token)
  process.stdout.write(`Give them this link, shown this once; it is good for an hour, and once:\n${link}\n`)
}

async function activate(db: Db, { words }: Invocation, active: boolean): Promise<void> {
  const person = await personOf(db, words)
  await inToldTransaction(
    db,
    (tx) => setActive(tx, person.id, active),
    () => ({ ...toldOf(active ? 'activate' : 'deactivate', person), said: { active } }),
  )
  process.stdout.write(active ? 'Active again.\n' : 'Deactivated: their sessions end within a second.\n')
}

async function operator(db: Db, { words, options }: Invocation): Promise<void> {
  const isOperator = !options['off']
  const person = await personOf(db, words)
  await inToldTransaction(
    db,
    (tx) => setOperator(tx, person.id, isOperator),
    () => ({ ...toldOf('operator', person), said: { operator: isOperator } }),
  )
  process.stdout.write(
    isOperator ? 'An operator now: may do everything in every account.\n' : 'No operator any more.\n',
  )
}

/** `stentor people invite|list|reset|deactivate|activate|operator`. Links are printed once and kept nowhere. */
export const peopleCommand: Command = (invocation) =>
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

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
import { type AuditedCommand, inAuditedTransaction } from '../audited-command.ts'
import { type CliCommand, type CommandInvocation, printTable, requireOptionValue, UsageError } from '../usage.ts'
import { withDatabase } from '../with-database.ts'

/** The address of the console. Without a public address, it is that of a service on this machine. */
function resolveConsoleUrl({ publicUrl, httpPort }: ServiceConfig): string {
  return publicUrl === '' ? `http://localhost:${httpPort}` : publicUrl
}

function requireEmail(words: readonly string[]): string {
  if (words[1] === undefined) throw new UsageError('EMAIL is required: the email address of the user.')
  return parseUserEmail(words[1], 'EMAIL')
}

async function requireUser(db: Db, words: readonly string[]): Promise<UserRow> {
  const email = requireEmail(words)
  const user = await findUser(db, { email })
  if (!user) throw notFoundProblem('person', email)
  return user
}

function requireRole(options: CommandInvocation['options']): MemberRole {
  const roleText = requireOptionValue(options, 'role')
  const role = memberRoles.find((candidate) => candidate === roleText)
  if (!role) throw new UsageError(`"${roleText}" is not a role. The roles are ${memberRoles.join(', ')}.`)
  return role
}

function buildAuditEntry(word: string, { id, name }: UserRow): AuditedCommand {
  return { operation: `people ${word}`, account: null, object: { type: 'person', id, name } }
}

async function sendInvitation(db: Db, { words, options, config }: CommandInvocation): Promise<void> {
  const account = await findAccount(db, requireOptionValue(options, 'account'))
  const invitationDetails = { account, email: requireEmail(words), role: requireRole(options) }
  const { token: invitationToken } = await inAuditedTransaction(
    db,
    (tx) => inviteMember(tx, invitationDetails, systemClock.now()),
    ({ invitation: { id, role } }) => ({
      operation: 'people invite',
      account,
      object: { type: 'invitation', id, name: null },
      said: { role },
    }),
  )
  const invitationLink = buildConsoleLink(resolveConsoleUrl(config), 'invitation', invitationToken)
  process.stdout.write(
    `Send them this link. It is shown only once, works once and expires in 7 days:\n${invitationLink}\n`,
  )
}

async function printUsers(db: Db): Promise<void> {
  const users = await listAllUsers(db)
  printTable(
    users.map(({ email, name, active, operator: isInstallationOperator, secondFactor, lastSignInAt, memberships }) => ({
      email,
      name,
      active,
      operator: isInstallationOperator,
      'second factor': secondFactor,
      'last sign-in': lastSignInAt ?? 'never',
      roles: memberships.map(({ account, role }) => `${account}:${role}`).join(' '),
    })),
  )
}

async function resetAccess(db: Db, { words, options, config }: CommandInvocation): Promise<void> {
  const user = await requireUser(db, words)
  const losesFactors = options['second-factor'] === true
  const resetToken = await inAuditedTransaction(
    db,
    async (tx) => {
      if (losesFactors) await removeSecondFactors(tx, user.id)
      return createPasswordResetToken(tx, user.id, { mailed: false, now: systemClock.now() })
    },
    () => ({ ...buildAuditEntry('reset', user), said: { secondFactor: losesFactors ? 'taken away' : 'kept' } }),
  )
  if (losesFactors)
    process.stdout.write(
      'Authenticator app, recovery codes and passkeys removed. The password is sufficient until new ones are added.\n',
    )
  const resetLink = buildConsoleLink(resolveConsoleUrl(config), 'reset', resetToken)
  process.stdout.write(`Send them this link. It is shown only once, works once and expires in an hour:\n${resetLink}\n`)
}

async function changeUserActivity(db: Db, { words }: CommandInvocation, active: boolean): Promise<void> {
  const user = await requireUser(db, words)
  await inAuditedTransaction(
    db,
    (tx) => setUserActive(tx, user.id, active),
    () => ({ ...buildAuditEntry(active ? 'activate' : 'deactivate', user), said: { active } }),
  )
  process.stdout.write(active ? 'User reactivated.\n' : 'User deactivated. Their sessions end within a second.\n')
}

async function setOperator(db: Db, { words, options }: CommandInvocation): Promise<void> {
  const isOperator = !options['off']
  const user = await requireUser(db, words)
  await inAuditedTransaction(
    db,
    (tx) => setUserOperator(tx, user.id, isOperator),
    () => ({ ...buildAuditEntry('operator', user), said: { operator: isOperator } }),
  )
  process.stdout.write(
    isOperator
      ? 'The user is now an operator, with every right in every account.\n'
      : 'The user is no longer an operator.\n',
  )
}

/** `stentor people invite|list|reset|deactivate|activate|operator`. Links are printed once and kept nowhere. */
export const peopleCommand: CliCommand = (invocation) =>
  withDatabase(invocation.config, async ({ db }) => {
    const commandsByWord: Record<string, () => Promise<void>> = {
      invite: () => sendInvitation(db, invocation),
      list: () => printUsers(db),
      reset: () => resetAccess(db, invocation),
      deactivate: () => changeUserActivity(db, invocation, false),
      activate: () => changeUserActivity(db, invocation, true),
      operator: () => setOperator(db, invocation),
    }
    const [commandWord = ''] = invocation.words
    const runCommand = Object.hasOwn(commandsByWord, commandWord) ? commandsByWord[commandWord] : undefined
    if (!runCommand)
      throw new UsageError(
        'Use people invite, people list, people reset, people deactivate, people activate or people operator.',
      )
    await runCommand()
    return 0
  })

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Db, inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb, createAuditSnapshot } from '../../http/resource/audit-requests.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { parseUuid } from '../../lib/ids.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { hashAuditAddress } from '../audit/address-hash.ts'
import { inviteMember, listInvitations, recordInvitationMailed, removeInvitation } from './members/invitations.ts'
import { buildConsoleLink } from './members/links.ts'
import { type MemberEditor, removeAccountMember, updateAccountMember } from './members/members.ts'
import { findUser, listAccountMembers, parseUserEmail } from './people.ts'
import type { UserMailer } from './people-mails.ts'
import {
  CreatedInvitation,
  InvitationResource,
  MemberChangeBody,
  NewInvitationBody,
  UserResource,
} from './people-schemas.ts'
import type { SignInContext } from './sign-in/sign-in.ts'

const memberRefusals = { 403: 'operator-required session-required' }
const memberChangeRefusals = {
  ...memberRefusals,
  409: 'already-member person-exists last-admin only-operator oneself',
}
const tags = ['people']
const PersonParams = Type.Object({ id: Type.String() })
const adminConfig = { right: 'admin' } as const
const memberConfig = { ...adminConfig, audit: { object: 'person' } } as const
const invitationConfig = { ...adminConfig, audit: { object: 'invitation' } } as const

interface PeopleRoutesContext extends SignInContext {
  publicUrl: string
  mails: UserMailer
}

/** The editor of members. A key is neither a person nor an operator. */
function toMemberEditor({ person }: FastifyRequest): MemberEditor {
  return { person: person?.id ?? null, operator: person?.operator ?? false }
}

/** A member as they stand. */
function createMemberSnapshot({ account, params }: FastifyRequest<{ Params: { id: string } }>): AuditSnapshotOptions {
  return createAuditSnapshot(async (tx) => {
    const id = parseUuid(params.id)
    const [memberResource] = id === undefined ? [] : await listAccountMembers(tx, account, { all: false, id })
    if (!memberResource) throw notFoundProblem('person', params.id)
    return memberResource
  })
}

async function sendInvitation(
  { db, clock, mails, publicUrl, masterKeys }: PeopleRoutesContext,
  request: FastifyRequest<{ Body: NewInvitationBody }>,
): Promise<CreatedInvitation> {
  const { account, person, body } = request
  const email = parseUserEmail(body.email)
  if (person && email === person.email) throw conflictProblem('oneself', 'You are already a member of the account.')
  const auditDetails = { email: hashAuditAddress(masterKeys, email), role: body.role }
  const { invitation, token } = await inTransaction(createAuditedDb(request, db, { said: auditDetails }), (tx) =>
    inviteMember(tx, { account, email, role: body.role }, clock.now()),
  )
  const invitationLink = buildConsoleLink(publicUrl, 'invitation', token)
  const { name } = await describeAccount(db, account)
  const existingUser = await findUser(db, { email })
  const mailRecipient = { account, to: email, locale: existingUser?.locale }
  if (!(await mails.invitation(mailRecipient, { accountName: name, link: invitationLink })))
    return { ...invitation, link: invitationLink }
  await recordInvitationMailed(db, token)
  return invitation
}

function registerInvitationRoutes(app: HttpApp, context: PeopleRoutesContext): void {
  const { db, clock } = context
  const url = '/people/invitations'
  app.get(url, {
    config: adminConfig,
    schema: {
      tags,
      summary: 'List pending invitations',
      description: 'Returns the invitations to the account that are neither accepted nor expired, newest first.',
      operationId: 'listInvitations',
      refusals: memberRefusals,
      response: { 200: Type.Array(InvitationResource) },
    },
    handler: ({ account }) => listInvitations(db, account, clock.now()),
  })
  app.post(url, {
    config: invitationConfig,
    schema: {
      tags,
      summary: 'Invite a user to the account',
      operationId: 'createInvitation',
      refusals: memberChangeRefusals,
      description:
        'Sends the invitation link by email; if no email can be sent, the link is in the response. It is ' +
        'valid for 7 days and for one use. A repeated invitation of the same email address replaces the ' +
        'previous one. Refused with 409 if the user is a member already.',
      body: NewInvitationBody,
      response: { 200: CreatedInvitation },
    },
    handler: (request) => sendInvitation(context, request),
  })
  app.delete(`${url}/:id`, {
    config: invitationConfig,
    schema: {
      tags,
      summary: 'Withdraw an invitation',
      description: 'Deletes the invitation; its link stops working.',
      operationId: 'withdrawInvitation',
      refusals: memberChangeRefusals,
      params: PersonParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { account, params } = request
      await inTransaction(createAuditedDb(request, db), (tx) => removeInvitation(tx, account, params.id))
      return reply.code(204).send(null)
    },
  })
}

function registerRemovalRoute(app: HttpApp, db: Db): void {
  app.delete('/people/:id', {
    config: memberConfig,
    schema: {
      tags,
      summary: 'Remove a user from the account',
      description:
        'Ends the membership of the user; the user and memberships in other accounts remain. Refused with ' +
        '409 for yourself and the last admin of the account.',
      operationId: 'removePerson',
      refusals: memberChangeRefusals,
      params: PersonParams,
      response: { 204: Type.Null() },
    },
    handler: async (request, reply) => {
      const { before: readBefore } = createMemberSnapshot(request)
      await removeAccountMember(
        createAuditedDb(request, db, { ...(readBefore && { before: readBefore }) }),
        request.account,
        {
          id: request.params.id,
          by: toMemberEditor(request),
        },
      )
      return reply.code(204).send(null)
    },
  })
}

/** The people of an account. */
export function accountMemberRoutes(app: HttpApp, context: PeopleRoutesContext): void {
  const { db } = context
  registerInvitationRoutes(app, context)
  app.get('/people', {
    config: adminConfig,
    schema: {
      tags,
      summary: 'List the users of the account',
      description: 'Returns all members of the account, including inactive ones.',
      refusals: memberRefusals,
      response: { 200: Type.Array(UserResource) },
    },
    handler: ({ account, person }) => listAccountMembers(db, account, { all: person?.operator ?? false }),
  })
  app.put('/people/:id', {
    config: memberConfig,
    schema: {
      tags,
      summary: 'Update a user',
      description:
        'Changes the role of the user in the account, or activates or deactivates the user. Deactivation ends all ' +
        'sessions of the user; for a user of several accounts it requires an operator. Refused with 409 for ' +
        'yourself, the last admin of an account and the only operator.',
      refusals: memberChangeRefusals,
      params: PersonParams,
      body: MemberChangeBody,
      response: { 200: UserResource },
    },
    handler: async (request) => {
      const { account, params, body, person } = request
      const id = await updateAccountMember(createAuditedDb(request, db, createMemberSnapshot(request)), account, {
        id: params.id,
        change: body,
        by: toMemberEditor(request),
      })
      const [updatedMember] = await listAccountMembers(db, account, { all: person?.operator ?? false, id })
      if (!updatedMember) throw notFoundProblem('person', params.id)
      return updatedMember
    },
  })
  registerRemovalRoute(app, db)
}

import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { inTransaction } from '../../database/connection/connect.ts'
import type { HttpApp } from '../../http/app-type.ts'
import { type AuditSnapshotOptions, createAuditedDb, createAuditSnapshot } from '../../http/resource/audit.ts'
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

const tags = ['people']
const Params = Type.Object({ id: Type.String() })
const config = { right: 'admin' } as const
const member = { ...config, audit: { object: 'person' } } as const
const invited = { ...config, audit: { object: 'invitation' } } as const

interface PeopleRoutes extends SignInContext {
  publicUrl: string
  mails: UserMailer
}

/** Who changes members; a key is nobody, and no operator. */
function changerOf({ person }: FastifyRequest): MemberEditor {
  return { person: person?.id ?? null, operator: person?.operator ?? false }
}

/** A member as they stand. */
function lookAt({ account, params }: FastifyRequest<{ Params: { id: string } }>): AuditSnapshotOptions {
  return createAuditSnapshot(async (tx) => {
    const id = parseUuid(params.id)
    const [shown] = id === undefined ? [] : await listAccountMembers(tx, account, { all: false, id })
    if (!shown) throw notFoundProblem('person', params.id)
    return shown
  })
}

async function sendInvitation(
  { db, clock, mails, publicUrl, masterKeys }: PeopleRoutes,
  request: FastifyRequest<{ Body: NewInvitationBody }>,
): Promise<CreatedInvitation> {
  const { account, person, body } = request
  const email = parseUserEmail(body.email)
  if (person && email === person.email) throw conflictProblem('oneself', 'You are here already.')
  const said = { email: hashAuditAddress(masterKeys, email), role: body.role }
  const { invitation, token } = await inTransaction(createAuditedDb(request, db, { said }), (tx) =>
    inviteMember(tx, { account, email, role: body.role }, clock.now()),
  )
  const link = buildConsoleLink(publicUrl, 'invitation', token)
  const { name } = await describeAccount(db, account)
  const known = await findUser(db, { email })
  const to = { account, to: email, locale: known?.locale }
  if (!(await mails.invitation(to, { accountName: name, link }))) return { ...invitation, link }
  await recordInvitationMailed(db, token)
  return invitation
}

function invitationRoutes(app: HttpApp, context: PeopleRoutes): void {
  const { db, clock } = context
  const url = '/people/invitations'
  app.get(url, {
    config,
    schema: { tags, summary: 'list invitations that wait', response: { 200: Type.Array(InvitationResource) } },
    handler: ({ account }) => listInvitations(db, account, clock.now()),
  })
  app.post(url, {
    config: invited,
    schema: {
      tags,
      summary: 'invite somebody into the account',
      description:
        'The link is mailed; where no mail could be sent, it is in the answer. It is good for 7 days, and once.',
      body: NewInvitationBody,
      response: { 200: CreatedInvitation },
    },
    handler: (request) => sendInvitation(context, request),
  })
  app.delete(`${url}/:id`, {
    config: invited,
    schema: { tags, summary: 'take an invitation back', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { account, params } = request
      await inTransaction(createAuditedDb(request, db), (tx) => removeInvitation(tx, account, params.id))
      return reply.code(204).send(null)
    },
  })
}

/** The people of an account. */
export function accountMemberRoutes(app: HttpApp, context: PeopleRoutes): void {
  const { db } = context
  invitationRoutes(app, context)
  app.get('/people', {
    config,
    schema: { tags, summary: 'list the people of the account', response: { 200: Type.Array(UserResource) } },
    handler: ({ account, person }) => listAccountMembers(db, account, { all: person?.operator ?? false }),
  })
  app.put('/people/:id', {
    config: member,
    schema: {
      tags,
      summary: 'change the role of a person, or whether they may sign in',
      params: Params,
      body: MemberChangeBody,
      response: { 200: UserResource },
    },
    handler: async (request) => {
      const { account, params, body, person } = request
      const id = await updateAccountMember(createAuditedDb(request, db, lookAt(request)), account, {
        id: params.id,
        change: body,
        by: changerOf(request),
      })
      const [shown] = await listAccountMembers(db, account, { all: person?.operator ?? false, id })
      if (!shown) throw notFoundProblem('person', params.id)
      return shown
    },
  })
  app.delete('/people/:id', {
    config: member,
    schema: { tags, summary: 'take a person out of the account', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { before } = lookAt(request)
      await removeAccountMember(createAuditedDb(request, db, { ...(before && { before }) }), request.account, {
        id: request.params.id,
        by: changerOf(request),
      })
      return reply.code(204).send(null)
    },
  })
}

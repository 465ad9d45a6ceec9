import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { inTransaction } from '../../database/connection/connect.ts'
import type { App } from '../../http/app-type.ts'
import { type Look, lookOf, told } from '../../http/resource/audit.ts'
import { conflict, notFound } from '../../lib/errors/problem.ts'
import { readUuid } from '../../lib/ids.ts'
import { describeAccount } from '../accounts/accounts.ts'
import { addressHash } from '../audit/address-hash.ts'
import { invite, listInvitations, noteMailed, removeInvitation } from './members/invitations.ts'
import { consoleLink } from './members/links.ts'
import { type Changer, changeMember, removeMember } from './members/members.ts'
import { findPerson, listPeople, readEmail } from './people.ts'
import type { PeopleMails } from './people-mails.ts'
import { Invitation, InvitationMade, MemberChange, NewInvitation, Person } from './people-schemas.ts'
import type { SignInContext } from './sign-in/sign-in.ts'

const tags = ['people']
const Params = Type.Object({ id: Type.String() })
const config = { right: 'admin' } as const
const member = { ...config, audit: { object: 'person' } } as const
const invited = { ...config, audit: { object: 'invitation' } } as const

interface PeopleRoutes extends SignInContext {
  publicUrl: string
  mails: PeopleMails
}

/** Who changes members; a key is nobody, and no operator. */
function changerOf({ person }: FastifyRequest): Changer {
  return { person: person?.id ?? null, operator: person?.operator ?? false }
}

/** A member as they stand. */
function lookAt({ account, params }: FastifyRequest<{ Params: { id: string } }>): Look {
  return lookOf(async (tx) => {
    const id = readUuid(params.id)
    const [shown] = id === undefined ? [] : await listPeople(tx, account, { all: false, id })
    if (!shown) throw notFound('person', params.id)
    return shown
  })
}

async function sendInvitation(
  { db, clock, mails, publicUrl, masterKeys }: PeopleRoutes,
  request: FastifyRequest<{ Body: NewInvitation }>,
): Promise<InvitationMade> {
  const { account, person, body } = request
  const email = readEmail(body.email)
  if (person && email === person.email) throw conflict('oneself', 'You are here already.')
  const said = { email: addressHash(masterKeys, email), role: body.role }
  const { invitation, token } = await inTransaction(told(request, db, { said }), (tx) =>
    invite(tx, { account, email, role: body.role }, clock.now()),
  )
  const link = consoleLink(publicUrl, 'invitation', token)
  const { name } = await describeAccount(db, account)
  const known = await findPerson(db, { email })
  const to = { account, to: email, locale: known?.locale }
  if (!(await mails.invitation(to, { accountName: name, link }))) return { ...invitation, link }
  await noteMailed(db, token)
  return invitation
}

function invitationRoutes(app: App, context: PeopleRoutes): void {
  const { db, clock } = context
  const url = '/people/invitations'
  app.get(url, {
    config,
    schema: { tags, summary: 'list invitations that wait', response: { 200: Type.Array(Invitation) } },
    handler: ({ account }) => listInvitations(db, account, clock.now()),
  })
  app.post(url, {
    config: invited,
    schema: {
      tags,
      summary: 'invite somebody into the account',
      description:
        'The link is mailed; where no mail could be sent, it is in the answer. It is good for 7 days, and once.',
      body: NewInvitation,
      response: { 200: InvitationMade },
    },
    handler: (request) => sendInvitation(context, request),
  })
  app.delete(`${url}/:id`, {
    config: invited,
    schema: { tags, summary: 'take an invitation back', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { account, params } = request
      await inTransaction(told(request, db), (tx) => removeInvitation(tx, account, params.id))
      return reply.code(204).send(null)
    },
  })
}

/** The people of an account. */
export function peopleRoutes(app: App, context: PeopleRoutes): void {
  const { db } = context
  invitationRoutes(app, context)
  app.get('/people', {
    config,
    schema: { tags, summary: 'list the people of the account', response: { 200: Type.Array(Person) } },
    handler: ({ account, person }) => listPeople(db, account, { all: person?.operator ?? false }),
  })
  app.put('/people/:id', {
    config: member,
    schema: {
      tags,
      summary: 'change the role of a person, or whether they may sign in',
      params: Params,
      body: MemberChange,
      response: { 200: Person },
    },
    handler: async (request) => {
      const { account, params, body, person } = request
      const id = await changeMember(told(request, db, lookAt(request)), account, {
        id: params.id,
        change: body,
        by: changerOf(request),
      })
      const [shown] = await listPeople(db, account, { all: person?.operator ?? false, id })
      if (!shown) throw notFound('person', params.id)
      return shown
    },
  })
  app.delete('/people/:id', {
    config: member,
    schema: { tags, summary: 'take a person out of the account', params: Params, response: { 204: Type.Null() } },
    handler: async (request, reply) => {
      const { before } = lookAt(request)
      await removeMember(told(request, db, { ...(before && { before }) }), request.account, {
        id: request.params.id,
        by: changerOf(request),
      })
      return reply.code(204).send(null)
    },
  })
}
